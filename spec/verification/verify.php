<?php

declare(strict_types=1);

/**
 * Why a request is not to be believed; null when it is genuine. $body is the bytes as received:
 * file_get_contents('php://input').
 */
function find_fault(string $body, ?string $header, array $secrets, int $tolerance = 300, ?int $now = null): ?string
{
    if ($header === null || trim($header) === '') {
        return 'missing_header';
    }
    $parts = ['t' => [], 'v0' => []];
    $name = '';
    foreach (explode(',', $header) as $part) {
        if (str_contains($part, '=')) {
            [$name, $part] = explode('=', $part, 2);
        }
        $parts[trim($name)][] = trim($part);
    }
    $moments = $parts['t'];
    $signatures = array_filter($parts['v0'], fn (string $each) => $each !== '');
    if ($moments === []) {
        return 'missing_timestamp';
    }
    if (count($moments) > 1 || preg_match('/\A[0-9]{1,12}\z/', $moments[0]) !== 1) {
        return 'malformed_timestamp';
    }
    if ($signatures === []) {
        return 'missing_signature';
    }

    $genuine = false;
    foreach ($secrets as $secret) {
        $expected = hash_hmac('sha256', $moments[0] . '.' . $body, $secret);
        foreach ($signatures as $each) {
            $genuine = hash_equals($expected, $each) || $genuine;
        }
    }
    if (!$genuine) {
        return 'mismatch';
    }
    $age = ($now ?? time()) - (int) $moments[0];
    if ($age > $tolerance) {
        return 'stale';
    }
    return -$age > $tolerance ? 'future' : null;
}

// --- What follows reads the test vectors and is no part of a receiver.
$file = json_decode(file_get_contents($argv[1] ?? 'spec/webhook-vectors.json'), true, 512, JSON_THROW_ON_ERROR);
$code = 0;
foreach ($file['vectors'] as $vector) {
    $body = base64_decode($vector['body_base64'], true);
    $fault = find_fault($body, $vector['header'], $vector['secrets'], $vector['tolerance_seconds'], $vector['now']);
    echo $vector['name'], ' ', $fault ?? 'valid', "\n";
    if ($fault !== $vector['reason']) {
        $code = 1;
    }
}
exit($code);
