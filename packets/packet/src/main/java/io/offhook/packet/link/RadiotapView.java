package io.offhook.packet.link;

import io.offhook.packet.CarrierView;
import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.LittleEndian;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A radiotap header (radiotap.org): what the receiver knew of an IEEE 802.11 frame. All numbers are little-endian. Bits
 * of {@link #present()} say which fields there are; one that is not there reads 0.
 *
 * <pre>
 *  0               8               16              24              32
 * +---------------+---------------+-------------------------------+
 * |    version    |               |          length field         |
 * +---------------+---------------+-------------------------------+
 * |                            present                            |
 * +---------------------------------------------------------------+
 * | fields ...
 * </pre>
 */
public final class RadiotapView extends CarrierView<RadiotapView> implements LayerView {
    /** The minimum length of a header, in bytes. */
    public static final int MIN_LENGTH = 8;

    private static final int TIMESTAMP = 0;
    private static final int FLAGS = 1;
    private static final int RATE = 2;
    private static final int CHANNEL = 3;
    private static final int SIGNAL = 5;
    private static final int NOISE = 6;
    private static final int ANTENNA = 11;
    private static final int MCS = 19;

    // within channel and modulation
    private static final int FREQUENCY = 0;
    private static final int CHANNEL_FLAGS = 2;
    private static final int MCS_INDEX = 2;

    /** Bytes of each field, and what its place is a multiple of, by the number of its bit. */
    private static final byte[] SIZES = {8, 1, 1, 4, 2, 1, 1, 2, 2, 2, 1, 1, 1, 1, 2, 2, 1, 1, 8, 3};

    private static final byte[] ALIGNMENTS = {8, 1, 1, 2, 2, 1, 1, 2, 2, 2, 1, 1, 1, 1, 2, 2, 1, 1, 4, 1};

    private static final int VERSION = 0;
    /** The offset of the length, in bytes. */
    public static final int LENGTH_FIELD = 2;
    /** The offset of the first word of presence bits, in bytes. */
    public static final int PRESENT = 4;

    private final char[] places = new char[SIZES.length];

    /** Creates a view; call {@link #wrap} before any accessor. */
    public RadiotapView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.RADIOTAP;
    }

    /**
     * Wraps a header: TRUNCATED if fewer bytes are available than it states, UNSUPPORTED if its version is not 0,
     * MALFORMED if its length is below 8 bytes.
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        if (NetworkOrder.u8(segment, offset + VERSION) != 0) {
            return WrapStatus.UNSUPPORTED;
        }
        int header = LittleEndian.u16(segment, offset + LENGTH_FIELD);
        if (header < MIN_LENGTH) {
            return WrapStatus.MALFORMED;
        }
        WrapStatus status = wrap(segment, offset, length, header);
        if (status == WrapStatus.OK) {
            place();
        }
        return status;
    }

    /** The version stated in the header. */
    public int version() {
        return u8(VERSION);
    }

    /** Sets {@link #version()}; 0 to 255. */
    public RadiotapView version(int version) {
        return putU8(VERSION, "version", version);
    }

    /** The length of the header, in bytes. */
    public int lengthField() {
        return LittleEndian.u16(segment, offset + LENGTH_FIELD);
    }

    /** Sets {@link #lengthField()}. */
    public RadiotapView lengthField(int lengthField) {
        return putLittle(LENGTH_FIELD, 16, "lengthField", lengthField);
    }

    /** A bit for each kind of field; the highest says that another word of them follows. */
    public long present() {
        return LittleEndian.u32(segment, offset + PRESENT);
    }

    /** Sets {@link #present()}. */
    public RadiotapView present(long present) {
        return putLittle(PRESENT, 32, "present", present);
    }

    /** Finds where each known field of the first namespace stands; those that do not fit are not there. */
    private void place() {
        long present = present();
        int at = MIN_LENGTH;
        while (at + 4 <= headerLength && (u8(at - 1) & 0x80) != 0) {
            at += 4;
        }
        for (int i = 0; i < SIZES.length; i++) {
            places[i] = 0;
            if ((present >>> i & 1) == 0) {
                continue;
            }
            at = at + ALIGNMENTS[i] - 1 & -ALIGNMENTS[i];
            if (at + SIZES[i] > headerLength) {
                present = 0;
            } else {
                places[i] = (char) at;
                at += SIZES[i];
            }
        }
    }

    private boolean has(int field) {
        return places[field] != 0;
    }

    private int octet(int field) {
        return has(field) ? u8(places[field]) : 0;
    }

    private int u16(int field, int inField) {
        return has(field) ? LittleEndian.u16(segment, offset + places[field] + inField) : 0;
    }

    /** The receiver's clock when the frame began, in us. */
    public long timestamp() {
        return has(TIMESTAMP) ? LittleEndian.bits64(segment, offset + places[TIMESTAMP]) : 0;
    }

    /** Sets {@link #timestamp()}. */
    public RadiotapView timestamp(long timestamp) {
        FieldRange.require("timestamp", has(TIMESTAMP));
        return putLittle(places[TIMESTAMP], 64, "timestamp", timestamp);
    }

    /** Whether {@link #timestamp()} means something. */
    public boolean hasTimestamp() {
        return has(TIMESTAMP);
    }

    /** 0x10: the frame ends on a check sequence; 0x20: the header of the frame is padded; 0x40: the check failed. */
    public int flags() {
        return octet(FLAGS);
    }

    /** Sets {@link #flags()}; 0 to 255. */
    public RadiotapView flags(int flags) {
        FieldRange.require("flags", has(FLAGS));
        return putU8(places[FLAGS], "flags", flags);
    }

    /** Whether {@link #flags()} means something. */
    public boolean hasFlags() {
        return has(FLAGS);
    }

    /** The rate, in units of 500 kbit/s. */
    public int rate() {
        return octet(RATE);
    }

    /** Sets {@link #rate()}; 0 to 255. */
    public RadiotapView rate(int rate) {
        FieldRange.require("rate", has(RATE));
        return putU8(places[RATE], "rate", rate);
    }

    /** Whether it has a rate. */
    public boolean hasRate() {
        return has(RATE);
    }

    /** The channel frequency, in MHz. */
    public int channelFrequency() {
        return u16(CHANNEL, FREQUENCY);
    }

    /** Sets {@link #channelFrequency()}. */
    public RadiotapView channelFrequency(int channelFrequency) {
        FieldRange.require("channelFrequency", hasChannel());
        return putLittle(places[CHANNEL] + FREQUENCY, 16, "channelFrequency", channelFrequency);
    }

    /** Modulation and band, as radiotap.org lists them; 0 without a channel. */
    public int channelFlags() {
        return u16(CHANNEL, CHANNEL_FLAGS);
    }

    /** Sets {@link #channelFlags()}. */
    public RadiotapView channelFlags(int channelFlags) {
        FieldRange.require("channelFlags", hasChannel());
        return putLittle(places[CHANNEL] + CHANNEL_FLAGS, 16, "channelFlags", channelFlags);
    }

    /** Whether {@link #channelFlags()} and the frequency mean something. */
    public boolean hasChannel() {
        return has(CHANNEL);
    }

    /** The signal, in dBm, mostly below 0. */
    public int signal() {
        return (byte) octet(SIGNAL);
    }

    /** Sets {@link #signal()}. */
    public RadiotapView signal(int signal) {
        FieldRange.require("signal", has(SIGNAL));
        return putSigned(places[SIGNAL], "signal", signal);
    }

    /** Whether {@link #signal()} means something. */
    public boolean hasSignal() {
        return has(SIGNAL);
    }

    /** The noise, in dBm, mostly below 0. */
    public int noise() {
        return (byte) octet(NOISE);
    }

    /** Sets {@link #noise()}. */
    public RadiotapView noise(int noise) {
        FieldRange.require("noise", has(NOISE));
        return putSigned(places[NOISE], "noise", noise);
    }

    /** Whether {@link #noise()} means something. */
    public boolean hasNoise() {
        return has(NOISE);
    }

    /** Which one the frame was received by, from 0. */
    public int antenna() {
        return octet(ANTENNA);
    }

    /** Sets {@link #antenna()}; 0 to 255. */
    public RadiotapView antenna(int antenna) {
        FieldRange.require("antenna", has(ANTENNA));
        return putU8(places[ANTENNA], "antenna", antenna);
    }

    /** Whether {@link #antenna()} means something. */
    public boolean hasAntenna() {
        return has(ANTENNA);
    }

    /** The rate index of IEEE 802.11n. */
    public int mcs() {
        return has(MCS) ? u8(places[MCS] + MCS_INDEX) : 0;
    }

    /** Sets {@link #mcs()}; 0 to 255. */
    public RadiotapView mcs(int mcs) {
        FieldRange.require("mcs", has(MCS));
        return putU8(places[MCS] + MCS_INDEX, "mcs", mcs);
    }

    /** Whether it has the index of a modulation and coding scheme (IEEE 802.11n). */
    public boolean hasMcs() {
        return has(MCS);
    }

    @Override
    public String toString() {
        return "radiotap present 0x" + Long.toHexString(present());
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<RadiotapView> {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "radiotap",
                    new RadiotapView(),
                    HeaderLayout.of(MIN_LENGTH)
                            .number("version", RadiotapView.VERSION, 8)
                            .little("lengthField", LENGTH_FIELD, 16)
                            .little("present", PRESENT, 32));
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            if (view.hasTimestamp()) {
                to.text("timestamp", Long.toUnsignedString(view.timestamp()));
            }
            if (view.hasFlags()) {
                to.number("flags", view.flags());
            }
            if (view.hasRate()) {
                to.number("rate", view.rate());
            }
            if (view.hasChannel()) {
                to.number("channelFrequency", view.channelFrequency());
                to.number("channelFlags", view.channelFlags());
            }
            if (view.hasSignal()) {
                to.number("signal", view.signal());
            }
            if (view.hasNoise()) {
                to.number("noise", view.noise());
            }
            if (view.hasAntenna()) {
                to.number("antenna", view.antenna());
            }
            if (view.hasMcs()) {
                to.number("mcs", view.mcs());
            }
        }
    }
}
