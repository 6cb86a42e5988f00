package dev.billingemulator;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;

/** The emulator of a run of tests: the one at BILLING_EMULATOR_URL, else one that npx starts. Says once which of the two. */
final class RunningEmulator implements CloseableResource {
  private static final String OWN_KEY = "key_test_emulator";

  private final Client client;
  private final Process process;

  RunningEmulator() {
    String given = variable("BILLING_EMULATOR_URL");
    if (given.isEmpty()) {
      process = start();
      client = new Client(urlOf(process), OWN_KEY, "");
      System.out.println("billing-emulator: started one at " + client.url() + " (npx billing-emulator)");
    } else {
      process = null;
      client = new Client(given, OWN_KEY, variable("BILLING_EMULATOR_ADMIN_TOKEN"));
      System.out.println("billing-emulator: using " + given + " (BILLING_EMULATOR_URL)");
    }
  }

  Client client() {
    return client;
  }

  private static String variable(String name) {
    return System.getenv().getOrDefault(name, "");
  }

  private static Process start() {
    String npx = System.getProperty("os.name").startsWith("Windows") ? "npx.cmd" : "npx";
    String[] command = {npx, "--no-install", "billing-emulator", "start", "--port", "0", "--fixture", "", "--json"};
    try {
      Process process = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
      Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
      return process;
    } catch (IOException error) {
      throw new UncheckedIOException(
          "Set BILLING_EMULATOR_URL, or install Node.js, whose npx starts an emulator.", error);
    }
  }

  private static String urlOf(Process process) {
    var output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    try {
      String line = output.readLine();
      if (line != null) return Client.JSON.readTree(line).path("url").asText();
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
    throw new IllegalStateException("npx billing-emulator does not start: npm install --save-dev billing-emulator");
  }

  @Override
  public void close() {
    if (process != null) process.destroy();
  }
}
