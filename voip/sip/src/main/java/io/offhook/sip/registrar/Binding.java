package io.offhook.sip.registrar;

import io.offhook.packet.Endpoint;
import io.offhook.sip.SipTransport;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One binding of an address of record: a contact, until when it is valid, and how to reach it. Owned and immutable.
 *
 * <p>It is kept in one array, which is also its form on disk, since a registrar keeps many:
 *
 * <pre>
 * expires ms 8 | updated ms 8 | address 16 | port 2 | transport 1 | flags 1 | q 2 | reg-id 4 | CSeq 4
 * then each with its length in 2 bytes: contact, parameters, instance, Call-ID, path, flow token, user agent
 * </pre>
 */
public final class Binding {
    /** The most bytes of a binding in its encoded form. */
    public static final int MOST_BYTES = 8192;

    private static final int UPDATED = 8;
    private static final int ADDRESS = 16;
    private static final int PORT = 32;
    private static final int TRANSPORT = 34;
    private static final int FLAGS = 35;
    private static final int Q = 36;
    private static final int REG_ID = 38;
    private static final int CSEQ = 42;
    private static final int TEXTS = 46;

    private static final int CONTACT = 0;
    private static final int PARAMETERS = 1;
    private static final int INSTANCE = 2;
    private static final int CALL_ID = 3;
    private static final int PATH = 4;
    private static final int FLOW_TOKEN = 5;
    private static final int USER_AGENT = 6;
    private static final int TEXT_COUNT = 7;

    /** By their numbers on disk; only ever appended to. */
    private static final List<SipTransport> TRANSPORTS = List.of(
            SipTransport.UDP, SipTransport.TCP, SipTransport.TLS, SipTransport.WS, SipTransport.WSS, SipTransport.SCTP);

    private final byte[] bytes;

    private Binding(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The binding that a request makes of one of its contacts. */
    static Binding of(RegisterRequest request, RequestedContact contact, long expiresAtMs, long nowMs) {
        RegistrationSource source = request.source();
        byte[][] texts = {
            octets(contact.uri()),
            octets(contact.parameters()),
            octets(contact.instance()),
            octets(request.callId()),
            octets(request.path()),
            source.flowToken(),
            octets(request.userAgent())
        };
        int length = TEXTS;
        for (byte[] text : texts) {
            length += 2 + text.length;
        }
        ByteBuffer out = ByteBuffer.allocate(length);
        out.putLong(expiresAtMs).putLong(nowMs);
        out.putLong(source.endpoint().high()).putLong(source.endpoint().low());
        out.putShort((short) source.endpoint().port());
        out.put((byte) TRANSPORTS.indexOf(source.transport())).put((byte) 0);
        out.putShort((short) contact.q()).putInt(contact.regId()).putInt((int) request.cseq());
        for (byte[] text : texts) {
            out.putShort((short) text.length).put(text);
        }
        return new Binding(out.array());
    }

    /** Reads what {@link #encoded} returned; null if it is not that. */
    public static @Nullable Binding of(byte[] encoded) {
        Binding binding = new Binding(encoded.clone());
        return binding.isWhole() ? binding : null;
    }

    private boolean isWhole() {
        if (bytes.length < TEXTS || bytes.length > MOST_BYTES || (bytes[TRANSPORT] & 0xff) >= TRANSPORTS.size()) {
            return false;
        }
        int at = TEXTS;
        for (int i = 0; i < TEXT_COUNT; i++) {
            if (at + 2 > bytes.length) {
                return false;
            }
            at += 2 + number16(at);
        }
        return at == bytes.length && bytes[FLAGS] == 0;
    }

    /** The binding as bytes; must not be modified. */
    public byte[] encoded() {
        return bytes;
    }

    /** The contact's URI, as the phone wrote it. */
    public String contact() {
        return text(CONTACT);
    }

    /** The other parameters of the Contact, each with its semicolon; without q, expires and those of RFC 5626 and 5627. */
    public String parameters() {
        return text(PARAMETERS);
    }

    /** The instance ({@code +sip.instance}) in its angle brackets: {@code <urn:uuid:...>}; "" if there is none. */
    public String instance() {
        return text(INSTANCE);
    }

    /** The number of the flow of RFC 5626 ({@code reg-id}), from 1; 0 if outbound is not used. */
    public int regId() {
        return ByteBuffer.wrap(bytes).getInt(REG_ID);
    }

    /** The preference in thousandths, 0 to 1000; 1000 if the phone gave none. */
    public int q() {
        return number16(Q);
    }

    /** The Call-ID of the last REGISTER. */
    public String callId() {
        return text(CALL_ID);
    }

    /** The CSeq number of the last REGISTER, 0 to 2^32 - 1. */
    public long cseq() {
        return ByteBuffer.wrap(bytes).getInt(CSEQ) & 0xffff_ffffL;
    }

    /** The values of Path, separated by commas, which become the Route of requests to the contact; "" if there are none. */
    public String path() {
        return text(PATH);
    }

    /** The flow token of the source; empty if there is none. */
    public byte[] flowToken() {
        int at = textAt(FLOW_TOKEN);
        return Arrays.copyOfRange(bytes, at + 2, at + 2 + number16(at));
    }

    /** The same binding without flow token, so that its contact leads to the phone. */
    public Binding withoutFlow() {
        int at = textAt(FLOW_TOKEN);
        int after = at + 2 + number16(at);
        ByteBuffer out = ByteBuffer.allocate(bytes.length - (after - at - 2));
        out.put(bytes, 0, at).putShort((short) 0).put(bytes, after, bytes.length - after);
        return new Binding(out.array());
    }

    /** The User-Agent of the last REGISTER, shortened; "" if there is none. */
    public String userAgent() {
        return text(USER_AGENT);
    }

    /** The address and port that the last REGISTER came from. */
    public Endpoint source() {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        return new Endpoint(in.getLong(ADDRESS), in.getLong(ADDRESS + 8), number16(PORT));
    }

    /** What the last REGISTER came by. */
    public SipTransport transport() {
        return TRANSPORTS.get(bytes[TRANSPORT] & 0xff);
    }

    /** When it ends, in ms since the epoch. */
    public long expiresAtMs() {
        return ByteBuffer.wrap(bytes).getLong(0);
    }

    /** When it was last registered, in ms since the epoch. */
    public long updatedAtMs() {
        return ByteBuffer.wrap(bytes).getLong(UPDATED);
    }

    private String text(int index) {
        int at = textAt(index);
        return new String(bytes, at + 2, number16(at), StandardCharsets.UTF_8);
    }

    private int textAt(int index) {
        int at = TEXTS;
        for (int i = 0; i < index; i++) {
            at += 2 + number16(at);
        }
        return at;
    }

    private int number16(int at) {
        return (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
    }

    private static byte[] octets(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Binding that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** The contact, for logs. */
    @Override
    public String toString() {
        return contact();
    }
}
