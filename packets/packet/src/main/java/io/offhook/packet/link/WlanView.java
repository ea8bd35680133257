package io.offhook.packet.link;

import io.offhook.packet.CarrierView;
import io.offhook.packet.FieldBits;
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
 * A header of IEEE 802.11 (IEEE 802.11-2020, 9.2), whose numbers are little-endian. Control frames have one or two
 * addresses, management frames three, data frames three or four; fields that the frame has not read 0.
 *
 * <pre>
 *  0               8               16              24              32
 * +-------+---+---+-+-+-+-+-+-+-+-+-------------------------------+
 * |subtype| t | v |O|P|M|P|R|M|F|T|            duration           |
 * +-------+---+---+-+-+-+-+-+-+-+-+-------------------------------+
 * |                            address1                           |
 * +-------------------------------+-------------------------------+
 * |              ...              |            address2           |
 * +-------------------------------+-------------------------------+
 * |                              ...                              |
 * +---------------------------------------------------------------+
 * |                            address3                           |
 * +---------------------------------------------------------------+
 * |              ...              |
 * +-------------------------------+
 * | sequence control, address 4, quality of service ...
 * </pre>
 */
public final class WlanView extends CarrierView<WlanView> implements LayerView {
    /** The minimum length of a header, in bytes. */
    public static final int MIN_LENGTH = 10;
    /** A type of frame (IEEE 802.11, 9.2.4.1.3). */
    public static final int MANAGEMENT = 0;
    /** A type of frame (IEEE 802.11, 9.2.4.1.3). */
    public static final int CONTROL = 1;
    /** A type of frame (IEEE 802.11, 9.2.4.1.3). */
    public static final int DATA = 2;

    /** Bytes of a data frame's header, up to its sequence control: without a fourth address and quality of service. */
    public static final int DATA_LENGTH = 24;

    /** The offset of version, type and subtype, in bytes. */
    public static final int SUBTYPE = 0;
    /** The offset of the flags, in bytes. */
    public static final int ORDER = 1;

    private static final int DURATION = 2;
    private static final int ADDRESS1 = 4;
    private static final int ADDRESS2 = 10;
    private static final int ADDRESS3 = 16;
    /** Where sequence and fragment number are, little-endian, in bytes from the start of a header that has them. */
    public static final int SEQUENCE_CONTROL = 22;

    private static final int ADDRESS4 = 24;
    /** Bytes that a fourth address adds to a data frame's header. */
    public static final int ADDRESS_LENGTH = 6;

    private static final int QUALITY_OF_SERVICE_LENGTH = 2;
    private static final int HIGH_THROUGHPUT_LENGTH = 4;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public WlanView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.WLAN;
    }

    /**
     * Wraps a header: TRUNCATED if fewer bytes are available than its type requires, UNSUPPORTED if its version is not
     * 0.
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        int control = NetworkOrder.u8(segment, offset + SUBTYPE);
        if ((control & 3) != 0) {
            return WrapStatus.UNSUPPORTED;
        }
        int header = headerLength(control, NetworkOrder.u8(segment, offset + ORDER));
        return wrap(segment, offset, length, header);
    }

    /** The kind of frame of its type. */
    public int subtype() {
        return u8(SUBTYPE) >>> 4;
    }

    /** Sets {@link #subtype()}; 0 to 15. */
    public WlanView subtype(int subtype) {
        return putBits(SUBTYPE, 0, 4, "subtype", subtype);
    }

    /** 0 management, 1 control, 2 data, 3 extension. */
    public int type() {
        return u8(SUBTYPE) >>> 2 & 0x3;
    }

    /** Sets {@link #type()}; 0 to 3. */
    public WlanView type(int type) {
        return putBits(SUBTYPE, 4, 2, "type", type);
    }

    /** The version stated in the header. */
    public int version() {
        return u8(SUBTYPE) & 0x3;
    }

    /** Sets {@link #version()}; 0 to 3. */
    public WlanView version(int version) {
        return putBits(SUBTYPE, 6, 2, "version", version);
    }

    /** Whether the order bit is set: a field of high throughput control is there. */
    public boolean isOrder() {
        return (u8(ORDER) & 0x80) != 0;
    }

    /** Sets {@link #isOrder()}. */
    public WlanView order(boolean order) {
        return putFlag(ORDER, 0, order);
    }

    /** Whether the body is encrypted. */
    public boolean isEncrypted() {
        return (u8(ORDER) & 0x40) != 0;
    }

    /** Sets {@link #isEncrypted()}. */
    public WlanView encrypted(boolean encrypted) {
        return putFlag(ORDER, 1, encrypted);
    }

    /** Whether the access point holds more for the receiver. */
    public boolean hasMoreData() {
        return (u8(ORDER) & 0x20) != 0;
    }

    /** Sets {@link #hasMoreData()}. */
    public WlanView moreData(boolean moreData) {
        return putFlag(ORDER, 2, moreData);
    }

    /** Whether the sender sleeps afterwards. */
    public boolean isPowerManagement() {
        return (u8(ORDER) & 0x10) != 0;
    }

    /** Sets {@link #isPowerManagement()}. */
    public WlanView powerManagement(boolean powerManagement) {
        return putFlag(ORDER, 3, powerManagement);
    }

    /** Whether it was sent before. */
    public boolean isRetry() {
        return (u8(ORDER) & 0x8) != 0;
    }

    /** Sets {@link #isRetry()}. */
    public WlanView retry(boolean retry) {
        return putFlag(ORDER, 4, retry);
    }

    /** Whether more fragments follow. */
    public boolean hasMoreFragments() {
        return (u8(ORDER) & 0x4) != 0;
    }

    /** Sets {@link #hasMoreFragments()}. */
    public WlanView moreFragments(boolean moreFragments) {
        return putFlag(ORDER, 5, moreFragments);
    }

    /** Whether it comes from the distribution system. */
    public boolean isFromDs() {
        return (u8(ORDER) & 0x2) != 0;
    }

    /** Sets {@link #isFromDs()}. */
    public WlanView fromDs(boolean fromDs) {
        return putFlag(ORDER, 6, fromDs);
    }

    /** Whether it is for the distribution system. */
    public boolean isToDs() {
        return (u8(ORDER) & 0x1) != 0;
    }

    /** Sets {@link #isToDs()}. */
    public WlanView toDs(boolean toDs) {
        return putFlag(ORDER, 7, toDs);
    }

    /** The duration, in us; in a PS-Poll, the association. */
    public int duration() {
        return LittleEndian.u16(segment, offset + DURATION);
    }

    /** Sets {@link #duration()}. */
    public WlanView duration(int duration) {
        return putLittle(DURATION, 16, "duration", duration);
    }

    /** The receiver. */
    public long address1() {
        return u48(ADDRESS1);
    }

    /** Sets {@link #address1()}; 0 to 281474976710655. */
    public WlanView address1(long address1) {
        return putU48(ADDRESS1, "address1", address1);
    }

    /** The transmitter. */
    public long address2() {
        return headerLength >= ADDRESS2 + ADDRESS_LENGTH ? u48(ADDRESS2) : 0;
    }

    /** Sets {@link #address2()}; 0 to 281474976710655. */
    public WlanView address2(long address2) {
        FieldRange.require("address2", headerLength >= ADDRESS2 + ADDRESS_LENGTH);
        return putU48(ADDRESS2, "address2", address2);
    }

    /** The third address, in the lower 48 bits; 0 if there is none. */
    public long address3() {
        return headerLength >= ADDRESS3 + ADDRESS_LENGTH ? u48(ADDRESS3) : 0;
    }

    /** Sets {@link #address3()}; 0 to 281474976710655. */
    public WlanView address3(long address3) {
        FieldRange.require("address3", headerLength >= ADDRESS3 + ADDRESS_LENGTH);
        return putU48(ADDRESS3, "address3", address3);
    }

    /**
     * Bytes of the header of a frame.
     *
     * @param control its first byte
     * @param flags its second
     */
    public static int headerLength(int control, int flags) {
        int subtype = control >>> 4;
        return switch (control >>> 2 & 3) {
            case MANAGEMENT -> DATA_LENGTH + ((flags & 0x80) != 0 ? HIGH_THROUGHPUT_LENGTH : 0);
            case CONTROL -> subtype == 12 || subtype == 13 || subtype < 8 ? MIN_LENGTH : ADDRESS2 + ADDRESS_LENGTH;
            case DATA -> dataLength(control, flags);
            default -> MIN_LENGTH;
        };
    }

    private static int dataLength(int control, int flags) {
        boolean isQualityOfService = (control & 0x80) != 0;
        int length = qualityOfServiceAt(flags);
        if (!isQualityOfService) {
            return length;
        }
        return length + QUALITY_OF_SERVICE_LENGTH + ((flags & 0x80) != 0 ? HIGH_THROUGHPUT_LENGTH : 0);
    }

    /** Where the quality of service is in a data frame with that second byte: behind three addresses, or four. */
    public static int qualityOfServiceAt(int flags) {
        return (flags & 3) == 3 ? DATA_LENGTH + ADDRESS_LENGTH : DATA_LENGTH;
    }

    private long qualityOfServiceOffset() {
        return offset + qualityOfServiceAt(u8(ORDER));
    }

    private boolean hasSequence() {
        return headerLength >= DATA_LENGTH;
    }

    /** 4 bits; 0 in control frames. */
    public int fragmentNumber() {
        return hasSequence() ? LittleEndian.u16(segment, offset + SEQUENCE_CONTROL) & 15 : 0;
    }

    /** Sets {@link #fragmentNumber()}; 0 to 15. */
    public WlanView fragmentNumber(int fragmentNumber) {
        FieldRange.require("fragmentNumber", hasSequence());
        FieldRange.check("fragmentNumber", fragmentNumber, 15);
        int control = sequenceNumber() << 4 | fragmentNumber;
        return putLittle(SEQUENCE_CONTROL, 16, "fragmentNumber", control);
    }

    /** 12 bits; 0 in control frames. */
    public int sequenceNumber() {
        return hasSequence() ? LittleEndian.u16(segment, offset + SEQUENCE_CONTROL) >>> 4 : 0;
    }

    /**
     * Sets {@link #sequenceNumber()}.
     *
     * @throws IllegalStateException if the frame does not have the field
     */
    public WlanView sequenceNumber(int sequenceNumber) {
        FieldRange.require("sequenceNumber", hasSequence());
        FieldBits.checkRange("sequenceNumber", sequenceNumber, 12);
        int control = sequenceNumber << 4 | fragmentNumber();
        return putLittle(SEQUENCE_CONTROL, 16, "sequenceNumber", control);
    }

    /** Whether the frame has a fourth address: data between two access points. */
    public boolean hasAddress4() {
        return type() == DATA && isFromDs() && isToDs();
    }

    /** The fourth address, in the lower 48 bits; 0 if there is none. */
    public long address4() {
        return hasAddress4() ? u48(ADDRESS4) : 0;
    }

    /** Sets {@link #address4()}; 0 to 281474976710655. */
    public WlanView address4(long address4) {
        FieldRange.require("address4", hasAddress4());
        return putU48(ADDRESS4, "address4", address4);
    }

    /** Whether it is data with a quality of service. */
    public boolean hasQualityOfService() {
        return type() == DATA && subtype() >= 8;
    }

    /** The quality of service field, 16 bits: traffic identifier in the low 4, 0x80 for an aggregate. */
    public int qualityOfService() {
        return hasQualityOfService() ? LittleEndian.u16(segment, qualityOfServiceOffset()) : 0;
    }

    /** Sets {@link #qualityOfService()}. */
    public WlanView qualityOfService(int qualityOfService) {
        FieldRange.require("qualityOfService", hasQualityOfService());
        LittleEndian.put(segment, qualityOfServiceOffset(), 16, "qualityOfService", qualityOfService);
        return this;
    }

    @Override
    public String toString() {
        return "wlan type " + type() + " subtype " + subtype();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<WlanView> {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "wlan",
                    "802.11",
                    new WlanView(),
                    HeaderLayout.of(DATA_LENGTH)
                            .bits("subtype", SUBTYPE, 0, 4)
                            .bits("type", SUBTYPE, 4, 2)
                            .bits("version", SUBTYPE, 6, 2)
                            .flag("order", ORDER, 0)
                            .flag("encrypted", ORDER, 1)
                            .flag("moreData", ORDER, 2)
                            .flag("powerManagement", ORDER, 3)
                            .flag("retry", ORDER, 4)
                            .flag("moreFragments", ORDER, 5)
                            .flag("fromDs", ORDER, 6)
                            .flag("toDs", ORDER, 7)
                            .little("duration", DURATION, 16)
                            .mac("address1", ADDRESS1)
                            .mac("address2", ADDRESS2)
                            .mac("address3", ADDRESS3));
        }

        @Override
        public void fields(Layer layer, FieldVisitor to) {
            if (layer.isInside(LayerType.CAPWAP)) {
                return; // its first two bytes changed places
            }
            super.fields(layer, to);
            if (!layer.wrap(view) || view.headerLength() < DATA_LENGTH) {
                return;
            }
            to.number("fragmentNumber", view.fragmentNumber());
            to.number("sequenceNumber", view.sequenceNumber());
            if (view.hasAddress4()) {
                to.mac("address4", view.address4());
            }
            if (view.hasQualityOfService()) {
                to.number("qualityOfService", view.qualityOfService());
            }
        }
    }
}
