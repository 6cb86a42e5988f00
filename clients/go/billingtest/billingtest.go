// Package billingtest gives each test a sandbox of its own in a billing-emulator: the one at BILLING_EMULATOR_URL, else one
// that npx starts for the length of the test run.
package billingtest

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	billingemulator "example.com/billing-emulator/go"
)

// Sandbox is a world that shares nothing with others. It is deleted at the end of the test.
type Sandbox struct {
	*billingemulator.Client
	Name string
	t    testing.TB
	seen json.Number
}

// Option says what a sandbox begins with.
type Option func(body billingemulator.Object)

// WithFixture fills the sandbox from a fixture of the emulator's library, such as "month-ends".
func WithFixture(name string) Option {
	return func(body billingemulator.Object) { body["fixture"] = name }
}

// New returns a sandbox. If the test fails, its requests and warnings are logged.
func New(t testing.TB, options ...Option) *Sandbox {
	t.Helper()
	emulator, err := findOrStart()
	if err != nil {
		t.Fatal(err)
	}
	name := strings.Trim(regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(strings.ToLower(t.Name()), "-"), "-")
	body := billingemulator.Object{"name": "t-" + strings.TrimRight(name[:min(len(name), 46)], "-")}
	for _, option := range options {
		option(body)
	}
	if _, err := emulator.Call("createSandbox", billingemulator.Request{Body: body}); err != nil {
		t.Fatal(err)
	}
	name = body["name"].(string)
	sandbox := &Sandbox{Client: emulator.As("key_test_" + name), Name: name, t: t, seen: "0"}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("Requests of %s:\n%s", sandbox.Key, sandbox.Report())
		}
		parameters := map[string]any{"name": name, "final": true}
		if _, err := emulator.Call("deleteSandbox", billingemulator.Request{Parameters: parameters}); err != nil {
			t.Error(err)
		}
	})
	return sandbox
}

// Must calls an operation, and ends the test if it is rejected.
func (s *Sandbox) Must(operation string, request billingemulator.Request) billingemulator.Object {
	s.t.Helper()
	answer, err := s.Call(operation, request)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer
}

// Now returns the world's time.
func (s *Sandbox) Now() time.Time {
	s.t.Helper()
	now, err := time.Parse(time.RFC3339, s.Must("getClock", billingemulator.Request{})["now"].(string))
	if err != nil {
		s.t.Fatal(err)
	}
	return now
}

// Advance moves the clock forward by a duration such as P1M or 30d, and runs what becomes due on the way.
func (s *Sandbox) Advance(by string) billingemulator.Object {
	s.t.Helper()
	return s.Must("advanceClock", billingemulator.Request{Body: billingemulator.Object{"by": by}})
}

// AddFault adds a fault rule, such as {"status": 503, "match": {"operation": "getWallet"}}.
func (s *Sandbox) AddFault(rule billingemulator.Object) {
	s.t.Helper()
	s.Must("addFault", billingemulator.Request{Body: rule})
}

// ClearFaults removes all fault rules.
func (s *Sandbox) ClearFaults() {
	s.t.Helper()
	s.Must("setFaults", billingemulator.Request{Body: billingemulator.Object{"rules": []any{}}})
}

// ReceiveWebhooks has the world's webhook events sent to an inbox of the emulator, and returns the secret that signs them.
func (s *Sandbox) ReceiveWebhooks() string {
	s.t.Helper()
	body := billingemulator.Object{"url": s.URL + "/_emulator/inbox/" + s.Name, "topics": []string{"*"}}
	return s.Must("createWebhook", billingemulator.Request{Body: body})["secret"].(string)
}

// Webhook is an event in the inbox, as data and as it was sent.
type Webhook struct {
	Number  json.Number
	Event   billingemulator.Object
	Body    string
	Headers map[string]string
}

// NextWebhook returns the oldest event of a topic that it has not returned yet, waiting up to ten seconds for it.
func (s *Sandbox) NextWebhook(topic string) Webhook {
	s.t.Helper()
	query := url.Values{"after": {s.seen.String()}, "topic": {topic}, "timeout_seconds": {"10"}}
	var found struct{ Items []Webhook }
	if err := s.Get("/_emulator/inbox/"+s.Name+"/wait?"+query.Encode(), &found); err != nil {
		s.t.Fatal(err)
	}
	s.seen = found.Items[0].Number
	return found.Items[0]
}

// Explain returns how a fee, or everything from a usage event, came about, step by step.
func (s *Sandbox) Explain(id string) billingemulator.Object {
	s.t.Helper()
	return s.Must("explain", billingemulator.Request{Parameters: map[string]any{"id": id}})
}

// Snapshot saves the world, and returns a function that restores that state, any number of times.
func (s *Sandbox) Snapshot() (restore func()) {
	s.t.Helper()
	body := billingemulator.Object{"name": "before"}
	s.Must("saveSnapshot", billingemulator.Request{Body: body})
	return func() {
		s.t.Helper()
		s.Must("resetWorld", billingemulator.Request{Body: billingemulator.Object{"to": "snapshot", "name": "before"}})
	}
}

// AssertSound fails the test if an invariant of the ledger does not hold, and says what is broken.
func (s *Sandbox) AssertSound() {
	s.t.Helper()
	if report := s.Must("verifyLedger", billingemulator.Request{}); report["sound"] != true {
		s.t.Errorf("The ledger does not hold: %v", report["findings"])
	}
}

// Report returns the latest requests with their responses, and the warnings.
func (s *Sandbox) Report() string {
	lines := []string{}
	requests, err := s.Call("listRequests", billingemulator.Request{Parameters: map[string]any{"limit": 50}})
	if err != nil {
		return err.Error()
	}
	items := requests["items"].([]any)
	for place := len(items) - 1; place >= 0; place-- {
		request := items[place].(billingemulator.Object)
		lines = append(lines, fmt.Sprint(request["method"], " ", request["path"], " ", request["status"]))
		for _, field := range []string{"request_body", "response_body"} {
			if body, err := json.Marshal(request[field]); err == nil && request[field] != nil {
				lines = append(lines, fmt.Sprintf("    %s", body[:min(len(body), 500)]))
			}
		}
	}
	if warnings, err := s.Call("listWarnings", billingemulator.Request{}); err == nil {
		for _, each := range warnings["items"].([]any) {
			warning := each.(billingemulator.Object)
			lines = append(lines, fmt.Sprintf("warning %s: %s", warning["kind"], warning["message"]))
		}
	}
	return strings.Join(lines, "\n")
}

// findOrStart finds or starts the emulator of this process, once, and says which of the two.
var findOrStart = sync.OnceValues(func() (*billingemulator.Client, error) {
	const ownKey = "key_test_emulator"
	if address := os.Getenv("BILLING_EMULATOR_URL"); address != "" {
		fmt.Printf("billing-emulator: using %s (BILLING_EMULATOR_URL)\n", address)
		token := os.Getenv("BILLING_EMULATOR_ADMIN_TOKEN")
		return &billingemulator.Client{URL: address, Key: ownKey, AdminToken: token}, nil
	}
	address, err := start()
	if err != nil {
		return nil, err
	}
	fmt.Printf("billing-emulator: started one at %s (npx billing-emulator)\n", address)
	return &billingemulator.Client{URL: address, Key: ownKey}, nil
})

// launcher ends the emulator when its input ends, which it does with the process of the tests, however that ends.
const launcher = `
const [npx, shell] = process.platform === 'win32' ? ['npx.cmd', true] : ['npx', false];
const words = ['--no-install', 'billing-emulator', 'start', '--port', '0', '--fixture', shell ? '""' : '', '--json'];
const child = require('node:child_process').spawn(npx, words, { shell, stdio: ['ignore', 'inherit', 'inherit'] });
process.stdin.resume().on('end', () => child.kill());
child.on('exit', (code) => process.exit(code ?? 1));`

// launcherInput is never written to: it stays open as long as this process runs.
var launcherInput io.WriteCloser

func start() (string, error) {
	command := exec.Command("node", "-e", launcher)
	command.Stderr = os.Stderr
	input, err := command.StdinPipe()
	if err != nil {
		return "", err
	}
	launcherInput = input
	output, err := command.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := command.Start(); err != nil {
		return "", fmt.Errorf("set BILLING_EMULATOR_URL, or install Node.js, whose npx starts an emulator: %w", err)
	}
	line, err := bufio.NewReader(output).ReadBytes('\n')
	var ready struct{ URL string }
	if err != nil || json.Unmarshal(line, &ready) != nil {
		return "", errors.New("npx billing-emulator does not start: npm install --save-dev billing-emulator")
	}
	return ready.URL, nil
}
