package io.offhook.proxy.policy;

import io.offhook.sip.SipHop;
import io.offhook.sip.SipTransport;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Where a phone is reached, as bytes that are kept with its binding: the source of its REGISTER and our listener. They never
 * leave the proxy, so they need no signature.
 *
 * <pre>
 *  transport 1 | listener 1 | address 16 | port 2 | connection 8
 * </pre>
 */
@SuppressWarnings("EnumOrdinal") // the bytes are read by this version only
public final class HopToken {
    private static final SipTransport[] TRANSPORTS = SipTransport.values();
    private static final int LENGTH = 28;

    private HopToken() {}

    /** The bytes of a hop. */
    public static byte[] of(SipHop hop) {
        return ByteBuffer.allocate(LENGTH)
                .put((byte) hop.transport().ordinal())
                .put((byte) hop.listener())
                .putLong(hop.high())
                .putLong(hop.low())
                .putShort((short) hop.port())
                .putLong(hop.connection())
                .array();
    }

    /** The hop; null if the bytes are none, as those of another version may be. */
    public static @Nullable SipHop read(byte[] token) {
        if (token.length != LENGTH || token[0] < 0 || token[0] >= TRANSPORTS.length) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(token);
        SipTransport transport = TRANSPORTS[in.get()];
        int listener = in.get() & 0xff;
        long high = in.getLong();
        long low = in.getLong();
        int port = in.getShort() & 0xffff;
        return new SipHop().set(transport, listener, high, low, port).connection(in.getLong());
    }
}
