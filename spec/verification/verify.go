package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"
)

// For reading the test vectors:
import (
	"encoding/json"
	"fmt"
	"os"
)

var wholeSeconds = regexp.MustCompile(`^[0-9]{1,12}$`)

// FindFault says why a request is not to be believed, and nothing when it is genuine. The body is the
// bytes as received; tolerance and now are in seconds.
func FindFault(body []byte, header string, secrets []string, tolerance, now int64) string {
	if strings.TrimSpace(header) == "" {
		return "missing_header"
	}
	var moments, signatures []string
	name := ""
	for _, part := range strings.Split(header, ",") {
		if before, after, found := strings.Cut(part, "="); found {
			name, part = strings.TrimSpace(before), after
		}
		value := strings.TrimSpace(part)
		if name == "t" {
			moments = append(moments, value)
		}
		if name == "v0" && value != "" {
			signatures = append(signatures, value)
		}
	}
	if len(moments) == 0 {
		return "missing_timestamp"
	}
	if len(moments) > 1 || !wholeSeconds.MatchString(moments[0]) {
		return "malformed_timestamp"
	}
	if len(signatures) == 0 {
		return "missing_signature"
	}

	genuine := false
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(moments[0] + "."))
		mac.Write(body)
		expected := []byte(hex.EncodeToString(mac.Sum(nil)))
		for _, each := range signatures {
			genuine = hmac.Equal([]byte(each), expected) || genuine
		}
	}
	if !genuine {
		return "mismatch"
	}
	moment, _ := strconv.ParseInt(moments[0], 10, 64)
	if now-moment > tolerance {
		return "stale"
	}
	if moment-now > tolerance {
		return "future"
	}
	return ""
}

// --- What follows reads the test vectors and is no part of a receiver.
func main() {
	path := "spec/webhook-vectors.json"
	if len(os.Args) > 1 {
		path = os.Args[1]
	}
	var file struct {
		Vectors []struct {
			Name      string   `json:"name"`
			Secrets   []string `json:"secrets"`
			Now       int64    `json:"now"`
			Tolerance int64    `json:"tolerance_seconds"`
			Header    string   `json:"header"`
			Body      []byte   `json:"body_base64"`
			Reason    string   `json:"reason"`
		} `json:"vectors"`
	}
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &file)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	code := 0
	for _, vector := range file.Vectors {
		fault := FindFault(vector.Body, vector.Header, vector.Secrets, vector.Tolerance, vector.Now)
		if fault != vector.Reason {
			code = 1
		}
		if fault == "" {
			fault = "valid"
		}
		fmt.Println(vector.Name, fault)
	}
	os.Exit(code)
}
