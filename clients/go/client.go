// Package billingemulator calls any operation of a running billing-emulator by its id. Package billingtest gives each test
// a sandbox of its own.
package billingemulator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sort"
	"strings"
	"sync"
)

// Client is one world of an emulator: the one that Key opens.
type Client struct {
	// URL is the address of the emulator, such as http://127.0.0.1:24100.
	URL string
	// Key opens the world, such as key_test_mine.
	Key string
	// AdminToken is needed where the emulator asks for one.
	AdminToken string

	reading sync.Once
	problem error
	shared  *documents
}

// Request is what an operation is called with.
type Request struct {
	// Body is sent as JSON. Use json.Number or a string type of your own for exact amounts.
	Body any
	// Parameters are those of the path and of the query, by name.
	Parameters map[string]any
	// Account is the connected account that the call acts for.
	Account string
}

// Object is a JSON object. Its numbers are json.Number, with every digit.
type Object = map[string]any

// APIError is a response with an error status.
type APIError struct {
	Operation string
	Status    int
	// Text is the body as received, and Problem the object in it, empty if it is not an object.
	Text    string
	Problem Object
	hint    string
}

// Error returns the emulator's reasons, by field.
func (e *APIError) Error() string {
	reason := http.StatusText(e.Status)
	for _, each := range []any{e.Text, e.hint, e.Problem["title"], e.Problem["detail"]} {
		if text, ok := each.(string); ok && text != "" {
			reason = text
		}
	}
	lines := []string{fmt.Sprintf("%s returned %d: %s", e.Operation, e.Status, reason)}
	findings, _ := e.Problem["errors"].(Object)
	for _, field := range sortedKeys(findings) {
		for _, finding := range findings[field].([]any) {
			lines = append(lines, fmt.Sprintf("  %s: %s", field, finding))
		}
	}
	return strings.Join(lines, "\n")
}

// As returns a client of the world of another key, without reading the documents again.
func (c *Client) As(key string) *Client {
	other := &Client{URL: c.URL, Key: key, AdminToken: c.AdminToken}
	other.reading.Do(func() { other.shared, other.problem = c.documents() })
	return other
}

// Call calls an operation of the service or of the control API, and returns the object in the response, nil
// where there is none. The error is an *APIError for an error status.
func (c *Client) Call(operation string, request Request) (Object, error) {
	var answer Object
	err := c.CallInto(&answer, operation, request)
	return answer, err
}

// CallInto is like Call, but stores the object in a value of a type of your own. Amounts are exact in fields of type json.Number.
func (c *Client) CallInto(answer any, operation string, request Request) error {
	known, err := c.documents()
	if err != nil {
		return err
	}
	found, ok := known.operations[operation]
	if !ok {
		return fmt.Errorf("there is no operation %s", operation)
	}
	path, err := found.address(operation, request.Parameters)
	if err != nil {
		return err
	}
	header := http.Header{}
	if request.Account != "" {
		header.Set(known.accountHeader, request.Account)
	}
	text, err := c.send(operation, found.method, path, request.Body, header)
	if err != nil || len(text) == 0 {
		return err
	}
	return decode(text, answer)
}

// Get reads a path of the emulator that belongs to no operation, such as that of an inbox.
func (c *Client) Get(path string, answer any) error {
	text, err := c.send("GET "+path, http.MethodGet, path, nil, http.Header{})
	if err != nil {
		return err
	}
	return decode(text, answer)
}

func (c *Client) send(operation, method, path string, body any, header http.Header) ([]byte, error) {
	var content io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		content = bytes.NewReader(encoded)
		header.Set("Content-Type", "application/json")
	}
	request, err := http.NewRequest(method, strings.TrimSuffix(c.URL, "/")+path, content)
	if err != nil {
		return nil, err
	}
	request.Header = header
	request.Header.Set("Authorization", "Bearer "+c.Key)
	if c.AdminToken != "" {
		request.Header.Set("X-Emulator-Admin", c.AdminToken)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, fmt.Errorf("no emulator answers at %s: %w", c.URL, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= 300 {
		rejected := &APIError{Operation: operation, Status: response.StatusCode, Text: string(text)}
		rejected.hint = response.Header.Get("X-Emulator-Hint")
		_ = decode(text, &rejected.Problem)
		return nil, rejected
	}
	return text, nil
}

func decode(text []byte, answer any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return decoder.Decode(answer)
}

// documents are what the emulator says of its operations.
type documents struct {
	operations    map[string]operation
	accountHeader string
}

type operation struct {
	method, path string
	query        map[string]bool
}

func (o operation) address(id string, parameters map[string]any) (string, error) {
	path, query := o.path, url.Values{}
	for _, name := range sortedKeys(parameters) {
		value := fmt.Sprint(parameters[name])
		if strings.Contains(path, "{"+name+"}") {
			path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(value))
		} else if o.query[name] {
			query.Set(name, value)
		} else {
			return "", fmt.Errorf("%s has no parameter %s; it is %s, with %v", id, name, o.path, sortedKeys(o.query))
		}
	}
	if strings.Contains(path, "{") {
		return "", fmt.Errorf("%s needs the parameters of %s", id, o.path)
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return path, nil
}

func (c *Client) documents() (*documents, error) {
	c.reading.Do(func() {
		known := &documents{operations: map[string]operation{}}
		for _, path := range []string{"/openapi.json", "/_emulator/docs/control.json"} {
			var document Object
			if c.problem = c.Get(path, &document); c.problem != nil {
				return
			}
			known.add(document)
		}
		c.shared = known
	})
	return c.shared, c.problem
}

func (d *documents) add(document Object) {
	schemes := document["components"].(Object)["securitySchemes"].(Object)
	if scheme, ok := schemes["actingAccount"].(Object); ok {
		d.accountHeader = scheme["name"].(string)
	}
	for path, item := range document["paths"].(Object) {
		item := item.(Object)
		for _, method := range []string{"get", "put", "post", "patch", "delete"} {
			described, ok := item[method].(Object)
			if !ok {
				continue
			}
			found := operation{strings.ToUpper(method), path, map[string]bool{}}
			for _, source := range []Object{item, described} {
				listed, _ := source["parameters"].([]any)
				for _, parameter := range listed {
					if resolved := resolve(document, parameter.(Object)); resolved["in"] == "query" {
						found.query[resolved["name"].(string)] = true
					}
				}
			}
			d.operations[described["operationId"].(string)] = found
		}
	}
}

func resolve(document, node Object) Object {
	reference, ok := node["$ref"].(string)
	if !ok {
		return node
	}
	for _, part := range strings.Split(reference, "/")[1:] {
		document = document[part].(Object)
	}
	return document
}

func sortedKeys[V any](values map[string]V) []string {
	keys := make([]string, 0, len(values))
	for key := range values {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}
