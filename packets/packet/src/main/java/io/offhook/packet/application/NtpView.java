package io.offhook.packet.application;

import io.offhook.packet.Claims;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.HeaderView;
import io.offhook.packet.Layer;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.SafeText;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * An NTP packet (RFC 5905, 7.3; earlier versions have the same form). Timestamps are 64 bits: seconds since 1900, then
 * a fraction.
 *
 * <pre>
 *  0               8               16              24              32
 * +---+-----+-----+---------------+---------------+---------------+
 * | l |vers.| mode|    stratum    |      poll     |   precision   |
 * +---+-----+-----+---------------+---------------+---------------+
 * |                           root delay                          |
 * +---------------------------------------------------------------+
 * |                        root dispersion                        |
 * +---------------------------------------------------------------+
 * |                          reference id                         |
 * +---------------------------------------------------------------+
 * |                reference timestamp                 (8 bytes)  |
 * +---------------------------------------------------------------+
 * |                  origin timestamp                  (8 bytes)  |
 * +---------------------------------------------------------------+
 * |                 receive timestamp                  (8 bytes)  |
 * +---------------------------------------------------------------+
 * |                 transmit timestamp                 (8 bytes)  |
 * +---------------------------------------------------------------+
 * </pre>
 */
public final class NtpView extends HeaderView<NtpView> {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 48;

    private static final int LEAP = 0;
    private static final int STRATUM = 1;
    private static final int POLL = 2;
    private static final int PRECISION = 3;
    private static final int ROOT_DELAY = 4;
    private static final int ROOT_DISPERSION = 8;
    private static final int REFERENCE_ID = 12;
    private static final int REFERENCE_TIMESTAMP = 16;
    private static final int ORIGIN_TIMESTAMP = 24;
    private static final int RECEIVE_TIMESTAMP = 32;
    private static final int TRANSMIT_TIMESTAMP = 40;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public NtpView() {}

    /**
     * Wraps a packet: TRUNCATED below 48 bytes, UNSUPPORTED if it is of control or private use (modes 0, 6, 7), or
     * its version is not 1 to 4.
     *
     * @param length the number of bytes available from {@code offset}
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        int mode = NetworkOrder.u8(segment, offset + LEAP) & 7;
        int version = NetworkOrder.u8(segment, offset + LEAP) >>> 3 & 7;
        if (mode == 0 || mode > 5 || version == 0 || version > 4) {
            return WrapStatus.UNSUPPORTED;
        }
        return wrap(segment, offset, length, LENGTH);
    }

    /** 1 the last minute has 61 seconds, 2 it has 59, 3 not synchronised. */
    public int leap() {
        return u8(LEAP) >>> 6;
    }

    /** Sets {@link #leap()}; 0 to 3. */
    public NtpView leap(int leap) {
        return putBits(LEAP, 0, 2, "leap", leap);
    }

    /** The version stated in the header. */
    public int version() {
        return u8(LEAP) >>> 3 & 0x7;
    }

    /** Sets {@link #version()}; 0 to 7. */
    public NtpView version(int version) {
        return putBits(LEAP, 2, 3, "version", version);
    }

    /** 1 and 2 peers, 3 client, 4 server, 5 broadcast. */
    public int mode() {
        return u8(LEAP) & 0x7;
    }

    /** Sets {@link #mode()}; 0 to 7. */
    public NtpView mode(int mode) {
        return putBits(LEAP, 5, 3, "mode", mode);
    }

    /** 1 for a primary server. */
    public int stratum() {
        return u8(STRATUM);
    }

    /** Sets {@link #stratum()}; 0 to 255. */
    public NtpView stratum(int stratum) {
        return putU8(STRATUM, "stratum", stratum);
    }

    /** The interval, as a power of 2 in s: signed. */
    public int poll() {
        return (byte) u8(POLL);
    }

    /** Sets {@link #poll()}; -128 to 127. */
    public NtpView poll(int poll) {
        return putSigned(POLL, "poll", poll);
    }

    /** As a power of 2 in s: signed. */
    public int precision() {
        return (byte) u8(PRECISION);
    }

    /** Sets {@link #precision()}; -128 to 127. */
    public NtpView precision(int precision) {
        return putSigned(PRECISION, "precision", precision);
    }

    /** The root delay, in units of 1/65536 s. */
    public long rootDelay() {
        return u32(ROOT_DELAY);
    }

    /** Sets {@link #rootDelay()}; 0 to 4294967295. */
    public NtpView rootDelay(long rootDelay) {
        return putU32(ROOT_DELAY, "rootDelay", rootDelay);
    }

    /** The root dispersion, in units of 1/65536 s. */
    public long rootDispersion() {
        return u32(ROOT_DISPERSION);
    }

    /** Sets {@link #rootDispersion()}; 0 to 4294967295. */
    public NtpView rootDispersion(long rootDispersion) {
        return putU32(ROOT_DISPERSION, "rootDispersion", rootDispersion);
    }

    /** The reference of the clock: four letters, or an address. */
    public long referenceId() {
        return u32(REFERENCE_ID);
    }

    /** Sets {@link #referenceId()}; 0 to 4294967295. */
    public NtpView referenceId(long referenceId) {
        return putU32(REFERENCE_ID, "referenceId", referenceId);
    }

    /** When the clock was last set, in the same form. */
    public long referenceTimestamp() {
        return bits64(REFERENCE_TIMESTAMP);
    }

    /** Sets {@link #referenceTimestamp()}. */
    public NtpView referenceTimestamp(long referenceTimestamp) {
        return putBits64(REFERENCE_TIMESTAMP, referenceTimestamp);
    }

    /** When the request left the client: seconds since 1900 in the upper half, 1/2^32 s in the lower. */
    public long originTimestamp() {
        return bits64(ORIGIN_TIMESTAMP);
    }

    /** Sets {@link #originTimestamp()}. */
    public NtpView originTimestamp(long originTimestamp) {
        return putBits64(ORIGIN_TIMESTAMP, originTimestamp);
    }

    /** When the request came to the server, in the same form. */
    public long receiveTimestamp() {
        return bits64(RECEIVE_TIMESTAMP);
    }

    /** Sets {@link #receiveTimestamp()}. */
    public NtpView receiveTimestamp(long receiveTimestamp) {
        return putBits64(RECEIVE_TIMESTAMP, receiveTimestamp);
    }

    /** When the message left, in the same form. */
    public long transmitTimestamp() {
        return bits64(TRANSMIT_TIMESTAMP);
    }

    /** Sets {@link #transmitTimestamp()}. */
    public NtpView transmitTimestamp(long transmitTimestamp) {
        return putBits64(TRANSMIT_TIMESTAMP, transmitTimestamp);
    }

    @Override
    public String toString() {
        return "ntp version " + version() + " mode " + mode();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<NtpView> {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "ntp",
                    new NtpView(),
                    HeaderLayout.of(LENGTH)
                            .bits("leap", LEAP, 0, 2)
                            .bits("version", LEAP, 2, 3)
                            .bits("mode", LEAP, 5, 3)
                            .number("stratum", STRATUM, 8)
                            .signed("poll", POLL)
                            .signed("precision", PRECISION)
                            .number("rootDelay", ROOT_DELAY, 32)
                            .number("rootDispersion", ROOT_DISPERSION, 32)
                            .number("referenceId", REFERENCE_ID, 32)
                            .bytes("referenceTimestamp", REFERENCE_TIMESTAMP, 8)
                            .bytes("originTimestamp", ORIGIN_TIMESTAMP, 8)
                            .bytes("receiveTimestamp", RECEIVE_TIMESTAMP, 8)
                            .bytes("transmitTimestamp", TRANSMIT_TIMESTAMP, 8),
                    Claims.NONE.udp(123));
        }

        @Override
        public boolean summarize(Layer layer, SafeText to) {
            int first = layer.u8(LEAP);
            to.text("version ").number(first >>> 3 & 7).text(" mode ").number(first & 7);
            return true;
        }
    }
}
