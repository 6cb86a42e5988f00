#!/usr/bin/env bash
# `npm run prove -- https`: proves that clients reach an emulator by https, each as the documentation says, if they trust
# its authority, and refuse it if they do not. Needs curl, Python, Java and Go, and names what is missing.
set -euo pipefail

readonly EMULATOR=$PWD/bin/billing-emulator.js
folder=$(mktemp -d)
cd "$folder"
node "$EMULATOR" --port 0 --tls self-signed --tls-port 0 --ready-file ready.json >emulator.log 2>&1 &
pid=$!
trap 'kill "$pid"; rm -rf "$folder"' EXIT
until [ -s ready.json ]; do kill -0 "$pid"; sleep 0.1; done
field() { node -p "JSON.parse(fs.readFileSync('ready.json')).$1"; }
curl --silent "$(field url)/_emulator/ca.pem" >ca.pem
ADDRESS=$(field https_url)/readyz
export ADDRESS

cat >client.py <<'PYTHON'
import os, urllib.request
print(urllib.request.urlopen(os.environ["ADDRESS"]).read().decode())
PYTHON
cat >Client.java <<'JAVA'
import java.net.URI;
import java.net.http.*;

public class Client {
  public static void main(String[] args) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(System.getenv("ADDRESS"))).build();
    System.out.println(HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body());
  }
}
JAVA
cat >client.go <<'GO'
package main

import ("fmt"; "io"; "log"; "net/http"; "os")

func main() {
	response, err := http.Get(os.Getenv("ADDRESS"))
	if err != nil { log.Fatal(err) }
	body, _ := io.ReadAll(response.Body)
	fmt.Println(string(body))
}
GO

# Runs a client that trusts the authority, then the same client without it.
try() {
  local name=$1 program=$2 trusting=$3 plain=$4
  if ! command -v "$program" >/dev/null; then echo "left out: $name, no $program here"; return; fi
  bash -c "$trusting" 2>trusting.log | grep -q '"status":"ok"' || { cat trusting.log >&2; echo "failed: $name"; exit 1; }
  if bash -c "$plain" >plain.log 2>&1; then echo "failed: $name accepts an unknown authority"; exit 1; fi
  grep -qiE 'certificate|certification path|unable to verify|self.signed' plain.log || { cat plain.log >&2; exit 1; }
  echo "proved: $name"
}

try curl curl 'curl --silent --cacert ca.pem "$ADDRESS"' 'curl --silent --show-error "$ADDRESS"'
node='node --input-type=module -e "console.log(await (await fetch(process.env.ADDRESS)).text())"'
try Node node "NODE_EXTRA_CA_CERTS=ca.pem $node" "$node"
try Python python3 'SSL_CERT_FILE=ca.pem python3 client.py' 'python3 client.py'
if command -v keytool >/dev/null; then
  keytool -importcert -noprompt -file ca.pem -keystore trust.p12 -storepass changeit >/dev/null 2>&1
fi
try Java java 'java -Djavax.net.ssl.trustStore=trust.p12 -Djavax.net.ssl.trustStorePassword=changeit Client.java' 'java Client.java'
try Go go 'SSL_CERT_FILE=ca.pem go run client.go' 'go run client.go'
