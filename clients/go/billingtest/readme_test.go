package billingtest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/billing-emulator/go/billingtest"
)

// Runs the example of the README in a module of its own, as it is and with a wrong amount.
func TestExampleOfReadme(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	example := regexp.MustCompile("(?s)```go\n(.*?)```").FindSubmatch(readme)[1]
	own, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	emulator := billingtest.New(t).URL
	run := func(source string) (string, error) {
		folder := t.TempDir()
		module := "module example.com/shop\n\ngo 1.21\n\nrequire example.com/billing-emulator/go v0.0.0\n\n" +
			"replace example.com/billing-emulator/go => " + own + "\n"
		for name, text := range map[string]string{"go.mod": module, "billing_test.go": source} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		command := exec.Command("go", "test", "-count=1", "-v", "./...")
		command.Dir = folder
		command.Env = append(os.Environ(), "BILLING_EMULATOR_URL="+emulator)
		output, err := command.CombinedOutput()
		return string(output), err
	}
	if output, err := run(string(example)); err != nil || strings.Count(output, "billing-emulator: using ") != 1 {
		t.Errorf("The example fails: %v\n%s", err, output)
	}
	output, err := run(strings.ReplaceAll(string(example), `"4.17"`, `"4.18"`))
	if err == nil {
		t.Error("The example passes with a wrong amount.")
	}
	for _, expected := range []string{"The fee is 4.17.", "Requests of key_test_t-testusageisbilled:", "POST /events 204"} {
		if !strings.Contains(output, expected) {
			t.Errorf("Expected %q in\n%s", expected, output)
		}
	}
}
