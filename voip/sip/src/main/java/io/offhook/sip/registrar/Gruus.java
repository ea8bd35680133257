package io.offhook.sip.registrar;

import io.offhook.sip.SipUri;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Locale;
import java.util.UUID;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Makes and reads GRUUs (RFC 5627) without remembering them.
 *
 * <pre>
 * public     sip:alice@example.com;gr=urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6
 * temporary  sip:tgruu.QUJD...@example.com;gr     the user part is encrypted and authenticated (AES-GCM):
 *            IV 12 | hash of the Call-ID 8, length of the instance 1, instance, user | tag 12
 * </pre>
 *
 * A temporary GRUU says nothing about its user, each is new, and all end with the registration: when its Call-ID changes
 * or the bindings of the phone expire (RFC 5627, 3.1.2). Thread-safe.
 */
public final class Gruus {
    private static final String TEMPORARY = "tgruu.";
    private static final int IV = 12;
    private static final int TAG_BITS = 96;
    /** Of a temporary GRUU's user part; what is longer is none of ours. */
    private static final int MOST_TEXT = 1024;
    /** In the place of a length: 16 bytes of a UUID follow. */
    private static final int IS_UUID = 255;

    private static final String UUID_PREFIX = "<urn:uuid:";
    private static final String UUID_FORM = "<urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}>";
    private static final String PLAIN = "-_.!~*'()[]/:&+$";

    private final SecretKeySpec key;
    private final SecureRandom random = new SecureRandom();

    /**
     * Creates GRUUs of a secret.
     *
     * @param secret at least 16 random bytes; temporary GRUUs outlive a restart only if it does
     */
    public Gruus(byte[] secret) {
        if (secret.length < 16) {
            throw new IllegalArgumentException("a secret of " + secret.length + " bytes is too short; 16 are needed");
        }
        key = new SecretKeySpec(sha256(secret, "gruu"), 0, 16, "AES");
    }

    /** The parameters pub-gruu and temp-gruu of a Contact in the answer, each with its semicolon. */
    String parameters(RegisterRequest request, Binding binding) {
        AddressOfRecord user = request.addressOfRecord();
        String port = request.port() < 0 ? "" : ":" + request.port();
        return ";pub-gruu=\"" + user.uri() + port + ";gr=" + escaped(unbracketed(binding.instance())) + '"'
                + ";temp-gruu=\"sip:" + temporaryUser(user, binding) + "@" + user.domain() + port + ";gr\"";
    }

    private String temporaryUser(AddressOfRecord user, Binding binding) {
        byte[] name = user.user().getBytes(StandardCharsets.UTF_8);
        byte[] instance = instanceBytes(binding.instance());
        ByteBuffer plain = ByteBuffer.allocate(9 + instance.length + name.length);
        plain.putLong(hash(binding.callId()));
        plain.put((byte) (isUuid(binding.instance()) ? IS_UUID : instance.length));
        plain.put(instance).put(name);
        byte[] iv = new byte[IV];
        random.nextBytes(iv);
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, iv, user.domain()).doFinal(plain.array());
            ByteBuffer all = ByteBuffer.allocate(IV + sealed.length).put(iv).put(sealed);
            return TEMPORARY + Base64.getUrlEncoder().withoutPadding().encodeToString(all.array());
        } catch (GeneralSecurityException e) { // AES-GCM is in every JDK
            throw new IllegalStateException("this Java has no AES-GCM", e);
        }
    }

    /** Takes a URI apart; null if it is not a GRUU, or a temporary one that was not made with this secret. */
    public @Nullable Gruu read(SipUri uri) {
        AddressOfRecord user = AddressOfRecord.of(uri);
        String parameters = ";" + uri.parameters().toLowerCase(Locale.ROOT) + ";";
        if (user == null || !parameters.contains(";gr;") && !parameters.contains(";gr=")) {
            return null;
        }
        if (uri.user().startsWith(TEMPORARY)) {
            return temporary(uri.user().substring(TEMPORARY.length()), user.domain());
        }
        String instance = SipUri.decoded(uri.parameter("gr"));
        return instance.isEmpty() ? null : new Gruu(user, "<" + instance + ">", 0);
    }

    private @Nullable Gruu temporary(String text, String domain) {
        if (text.length() > MOST_TEXT) {
            return null;
        }
        try {
            byte[] all = Base64.getUrlDecoder().decode(text);
            if (all.length < IV) {
                return null;
            }
            byte[] iv = new byte[IV];
            System.arraycopy(all, 0, iv, 0, IV);
            ByteBuffer plain =
                    ByteBuffer.wrap(cipher(Cipher.DECRYPT_MODE, iv, domain).doFinal(all, IV, all.length - IV));
            long callIdHash = plain.getLong();
            String instance = instance(plain);
            String name = StandardCharsets.UTF_8.decode(plain).toString();
            return new Gruu(new AddressOfRecord(name, domain), instance, callIdHash);
        } catch (IllegalArgumentException | AEADBadTagException | BufferUnderflowException e) {
            return null; // made by somebody else
        } catch (GeneralSecurityException e) { // too short for a tag
            return null;
        }
    }

    private Cipher cipher(int mode, byte[] iv, String domain) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, iv));
        cipher.updateAAD(domain.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }

    private static boolean isUuid(String instance) {
        return instance.toLowerCase(Locale.ROOT).matches(UUID_FORM);
    }

    private static byte[] instanceBytes(String instance) {
        if (isUuid(instance)) {
            UUID uuid = UUID.fromString(instance.substring(UUID_PREFIX.length(), instance.length() - 1));
            return ByteBuffer.allocate(16)
                    .putLong(uuid.getMostSignificantBits())
                    .putLong(uuid.getLeastSignificantBits())
                    .array();
        }
        // at most 250 characters of ASCII, as RequestedContact checks
        return instance.getBytes(StandardCharsets.UTF_8);
    }

    private static String instance(ByteBuffer plain) {
        int length = plain.get() & 0xff;
        if (length == IS_UUID) {
            return UUID_PREFIX + new UUID(plain.getLong(), plain.getLong()) + ">";
        }
        byte[] instance = new byte[length];
        plain.get(instance);
        return new String(instance, StandardCharsets.UTF_8);
    }

    private static String unbracketed(String instance) {
        boolean isBracketed = instance.length() > 2 && instance.startsWith("<") && instance.endsWith(">");
        return isBracketed ? instance.substring(1, instance.length() - 1) : instance;
    }

    /** Fit for the value of a URI's parameter. */
    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            boolean isPlain = octet >= 'a' && octet <= 'z'
                    || octet >= 'A' && octet <= 'Z'
                    || octet >= '0' && octet <= '9'
                    || octet > 0 && PLAIN.indexOf(octet) >= 0;
            escaped.append(isPlain ? String.valueOf((char) octet) : AddressOfRecord.escape(octet));
        }
        return escaped.toString();
    }

    /** Never 0. */
    static long hash(String callId) {
        long hash = ByteBuffer.wrap(sha256(callId.getBytes(StandardCharsets.UTF_8), ""))
                .getLong();
        return hash == 0 ? 1 : hash;
    }

    private static byte[] sha256(byte[] bytes, String purpose) {
        try {
            MessageDigest hash = MessageDigest.getInstance("SHA-256");
            hash.update(purpose.getBytes(StandardCharsets.UTF_8));
            return hash.digest(bytes);
        } catch (GeneralSecurityException e) { // in every JDK
            throw new IllegalStateException("this Java has no SHA-256", e);
        }
    }
}
