require 'openssl'

# Why a request is not to be believed; nil when it is genuine. `body` is the bytes as received.
def find_fault(body, header, secrets, tolerance: 300, now: Time.now.to_i)
  return 'missing_header' if header.nil? || header.strip.empty?

  parts = { 't' => [], 'v0' => [] }
  name = ''
  header.split(',', -1).each do |part|
    name, part = part.split('=', 2) if part.include?('=')
    (parts[name.strip] ||= []) << part.strip
  end
  moments = parts['t']
  signatures = parts['v0'].reject(&:empty?)
  return 'missing_timestamp' if moments.empty?
  return 'malformed_timestamp' if moments.size > 1 || !moments[0].match?(/\A[0-9]{1,12}\z/)
  return 'missing_signature' if signatures.empty?

  genuine = secrets.map do |secret|
    expected = OpenSSL::HMAC.hexdigest('SHA256', secret, "#{moments[0]}.".b + body.b)
    signatures.map { |each| OpenSSL.secure_compare(each, expected) }.any?
  end.any?
  return 'mismatch' unless genuine

  age = now - Integer(moments[0], 10)
  return 'stale' if age > tolerance

  -age > tolerance ? 'future' : nil
end

# --- What follows reads the test vectors and is no part of a receiver.
if $PROGRAM_NAME == __FILE__
  require 'json'

  vectors = JSON.parse(File.read(ARGV.fetch(0, 'spec/webhook-vectors.json'), encoding: 'UTF-8'))['vectors']
  right = vectors.map do |vector|
    body = vector['body_base64'].unpack1('m0')
    limits = { tolerance: vector['tolerance_seconds'], now: vector['now'] }
    fault = find_fault(body, vector['header'], vector['secrets'], **limits)
    puts "#{vector['name']} #{fault || 'valid'}"
    fault == vector['reason']
  end
  exit(right.all?)
end
