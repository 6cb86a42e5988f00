package dev.billingemulator;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * JUnit 5 extension, as in {@code @ExtendWith(BillingEmulator.class)}: gives each test that asks for a {@link Sandbox} one
 * of its own, and prints its requests and warnings if the test fails.
 */
public final class BillingEmulator implements ParameterResolver {
  private static final Namespace OWN = Namespace.create(BillingEmulator.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Sandbox.class;
  }

  @Override
  public Sandbox resolveParameter(ParameterContext parameter, ExtensionContext context) {
    // The root's store closes it after the last test.
    var running = context.getRoot().getStore(OWN).getOrComputeIfAbsent(RunningEmulator.class);
    return context
        .getStore(OWN)
        .getOrComputeIfAbsent("sandbox", key -> new OfTest(running.client(), context), OfTest.class)
        .sandbox;
  }

  /** The sandbox of a test, until its end. */
  private static final class OfTest implements CloseableResource {
    private final Sandbox sandbox;
    private final ExtensionContext context;

    OfTest(Client client, ExtensionContext context) {
      String name = nameOf(context);
      Map<String, String> body = new HashMap<>(Map.of("name", name));
      Fixture fixture = context.getRequiredTestMethod().getAnnotation(Fixture.class);
      if (fixture != null) body.put("fixture", fixture.value());
      client.operation("createSandbox").body(body).send();
      this.sandbox = new Sandbox(client, name);
      this.context = context;
    }

    private static String nameOf(ExtensionContext context) {
      String title = context.getRequiredTestClass().getSimpleName() + "-" + context.getDisplayName();
      String words = title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
      return "t-" + words.substring(0, Math.min(words.length(), 46)).replaceAll("-+$", "");
    }

    @Override
    public void close() {
      if (context.getExecutionException().isPresent())
        System.err.println("Requests of " + sandbox.key() + ":\n" + sandbox.report());
      sandbox.close();
    }
  }
}
