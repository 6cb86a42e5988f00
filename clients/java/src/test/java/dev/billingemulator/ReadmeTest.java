package dev.billingemulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.EventStatistics;

/** Compiles and runs the example of the README, as it is and with a wrong amount. */
class ReadmeTest {
  @TempDir Path folder;

  @Test
  void theExamplePassesAndPrintsRequestsWhenItFails() throws Exception {
    var fenced = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(Path.of("README.md")));
    assertTrue(fenced.find());
    run(fenced.group(1), statistics -> statistics.started(1).succeeded(1));
    String printed = run(fenced.group(1).replace("\"4.17\"", "\"4.18\""), statistics -> statistics.started(1).failed(1));
    assertTrue(printed.contains("Requests of key_test_t-usagetest-usageisbilled-sandbox"), printed);
    assertTrue(printed.contains("POST /events 204"), printed);
  }

  /** Returns what was printed to standard error. */
  private String run(String source, java.util.function.Consumer<EventStatistics> expected) throws Exception {
    Path file = Files.writeString(folder.resolve("UsageTest.java"), source);
    String classes = System.getProperty("java.class.path");
    int code = ToolProvider.getSystemJavaCompiler().run(null, null, null, "-proc:none", "-cp", classes, file.toString());
    assertEquals(0, code);
    PrintStream before = System.err;
    var printed = new ByteArrayOutputStream();
    try (var loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      System.setErr(new PrintStream(printed, true));
      EngineTestKit.engine("junit-jupiter")
          .selectors(selectClass(loader.loadClass("UsageTest")))
          .execute()
          .testEvents()
          .assertStatistics(expected);
    } finally {
      System.setErr(before);
    }
    return printed.toString();
  }
}
