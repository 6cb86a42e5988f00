import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

// For reading the test vectors:
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.regex.Pattern;

public class Verify {
    /** Why a request is not to be believed; null when it is genuine. The body is the bytes as received. */
    static String findFault(byte[] body, String header, List<String> secrets, long tolerance, long now)
            throws GeneralSecurityException {
        if (header == null || header.isBlank()) return "missing_header";
        List<String> moments = new ArrayList<>();
        List<String> signatures = new ArrayList<>();
        String name = "";
        for (String part : header.split(",", -1)) {
            int mark = part.indexOf('=');
            if (mark >= 0) name = part.substring(0, mark).strip();
            String value = part.substring(mark + 1).strip();
            if (name.equals("t")) moments.add(value);
            if (name.equals("v0") && !value.isEmpty()) signatures.add(value);
        }
        if (moments.isEmpty()) return "missing_timestamp";
        if (moments.size() > 1 || !moments.get(0).matches("[0-9]{1,12}")) return "malformed_timestamp";
        if (signatures.isEmpty()) return "missing_signature";

        boolean genuine = false;
        for (String secret : secrets) {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            mac.update((moments.get(0) + ".").getBytes(StandardCharsets.UTF_8));
            byte[] expected = HexFormat.of().formatHex(mac.doFinal(body)).getBytes(StandardCharsets.UTF_8);
            for (String each : signatures) {
                genuine |= MessageDigest.isEqual(each.getBytes(StandardCharsets.UTF_8), expected);
            }
        }
        if (!genuine) return "mismatch";
        long moment = Long.parseLong(moments.get(0));
        if (now - moment > tolerance) return "stale";
        return moment - now > tolerance ? "future" : null;
    }

    // --- What follows reads the test vectors and is no part of a receiver.
    public static void main(String[] arguments) throws Exception {
        String path = arguments.length > 0 ? arguments[0] : "spec/webhook-vectors.json";
        String text = Files.readString(Path.of(path));
        boolean failed = false;
        for (String vector : text.substring(text.indexOf('[')).split("(?=\\{\\s+\"name\")")) {
            if (!vector.startsWith("{")) continue;
            String reason = field(vector, "reason");
            String fault = findFault(
                Base64.getDecoder().decode(field(vector, "body_base64")),
                field(vector, "header"),
                List.of(list(vector, "secrets")),
                Long.parseLong(field(vector, "tolerance_seconds")),
                Long.parseLong(field(vector, "now")));
            System.out.println(field(vector, "name") + " " + (fault == null ? "valid" : fault));
            failed |= fault == null ? reason != null : !fault.equals(reason);
        }
        System.exit(failed ? 1 : 0);
    }

    /** The JDK has no reader of JSON; the fields read here hold nothing that is escaped. */
    private static String field(String vector, String name) {
        var found = Pattern.compile("\"" + name + "\": (?:\"([^\"]*)\"|([0-9]+)|null)").matcher(vector);
        if (!found.find()) throw new IllegalArgumentException(name);
        return found.group(1) != null ? found.group(1) : found.group(2);
    }

    private static String[] list(String vector, String name) {
        var found = Pattern.compile("\"" + name + "\": \\[([^\\]]*)\\]").matcher(vector);
        if (!found.find()) throw new IllegalArgumentException(name);
        return found.group(1).replaceAll("[\"\\s]", "").split(",");
    }
}
