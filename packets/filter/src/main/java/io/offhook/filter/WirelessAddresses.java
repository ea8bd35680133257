package io.offhook.filter;

import static io.offhook.filter.BpfOpcode.B;
import static io.offhook.filter.Loads.Base.LINK_HEADER;

import io.offhook.filter.Qualifiers.Direction;
import java.util.function.IntFunction;

/**
 * Tests of the addresses of IEEE 802.11 frames (IEEE 802.11-2020, 9.3): which of up to four is source or destination is
 * by type and by the bits "to" and "from the distribution system".
 *
 * <pre>
 *      0         1         2       4         10        16        22      24
 *     +---------+---------+-------+---------+---------+---------+-------+----------------+
 *     | subtype | flags   | dura- | address | address | address | seq.  | address 4, if  |
 *     | type, v.| F D, T D| tion  |    1    |    2    |    3    |       | F D and T D    |
 *     +---------+---------+-------+---------+---------+---------+-------+----------------+
 * </pre>
 */
final class WirelessAddresses {
    private static final int ADDRESS_1 = 4;
    private static final int ADDRESS_2 = 10;
    private static final int ADDRESS_3 = 16;
    private static final int ADDRESS_4 = 24;

    private static final int TO_SYSTEM = 0x01;
    private static final int FROM_SYSTEM = 0x02;
    private static final int DATA = 0x08;
    private static final int CONTROL = 0x04;

    private static final int TYPE_MASK = 0x0c;
    private static final int SUBTYPE_MASK = 0xf0;
    private static final int CTS = 0xc0;
    private static final int ACK = 0xd0;

    private final Loads loads;

    WirelessAddresses(Loads loads) {
        this.loads = loads;
    }

    Condition host(byte[] address, Direction direction) {
        return switch (direction) {
            case SRC -> source(address);
            case DST -> destination(address);
            case SRC_AND_DST -> {
                Condition source = source(address);
                yield source.and(destination(address));
            }
            case ANY, SRC_OR_DST -> {
                Condition source = source(address);
                yield source.or(destination(address));
            }
            case ADDR1 -> is(ADDRESS_1, address);
            case ADDR2 -> {
                Condition has = hasSecondAddress();
                yield has.and(is(ADDRESS_2, address));
            }
            case ADDR3 -> {
                Condition has =
                        loads.masked(LINK_HEADER, 0, B, CONTROL, TYPE_MASK).not();
                yield has.and(is(ADDRESS_3, address));
            }
            case ADDR4 -> {
                Condition has = loads.masked(LINK_HEADER, 1, B, TO_SYSTEM | FROM_SYSTEM, TO_SYSTEM | FROM_SYSTEM);
                yield has.and(is(ADDRESS_4, address));
            }
            case RA -> {
                Condition has = hasType(DATA);
                yield has.and(is(ADDRESS_1, address));
            }
            case TA -> {
                Condition second = hasSecondAddress();
                Condition has = hasType(DATA).and(second);
                yield has.and(is(ADDRESS_2, address));
            }
        };
    }

    private Condition is(int offset, byte[] address) {
        return loads.bytes(LINK_HEADER, offset, address);
    }

    private Condition hasType(int bit) {
        return loads.hasBits(LINK_HEADER, 0, B, bit);
    }

    private Condition hasFlag(int bit) {
        return loads.hasBits(LINK_HEADER, 1, B, bit);
    }

    /** All frames except CTS and ACK have a second address. */
    private Condition hasSecondAddress() {
        Condition noControl =
                loads.masked(LINK_HEADER, 0, B, CONTROL, TYPE_MASK).not();
        Condition noCts = loads.masked(LINK_HEADER, 0, B, CTS, SUBTYPE_MASK).not();
        Condition noAck = loads.masked(LINK_HEADER, 0, B, ACK, SUBTYPE_MASK).not();
        return noControl.or(noCts.and(noAck));
    }

    /** The source of a data frame is address 4, 3 or 2; of a management frame address 2; control frames have none. */
    private Condition source(byte[] address) {
        Condition both = hasFlag(TO_SYSTEM).and(is(ADDRESS_4, address));
        Condition fromOnly = hasFlag(TO_SYSTEM).not().and(is(ADDRESS_3, address));
        Condition from = hasFlag(FROM_SYSTEM).and(fromOnly.or(both));
        Condition notFrom = hasFlag(FROM_SYSTEM).not().and(is(ADDRESS_2, address));
        return byType(notFrom.or(from), is(ADDRESS_2, address));
    }

    private Condition destination(byte[] address) {
        return destination(offset -> is(offset, address));
    }

    /** The destination of a data frame is address 3 or 1; of a management frame address 1; control frames have none. */
    private Condition destination(IntFunction<Condition> test) {
        Condition to = hasFlag(TO_SYSTEM).and(test.apply(ADDRESS_3));
        Condition notTo = hasFlag(TO_SYSTEM).not().and(test.apply(ADDRESS_1));
        return byType(notTo.or(to), test.apply(ADDRESS_1));
    }

    private Condition byType(Condition ofData, Condition ofManagement) {
        Condition data = hasType(DATA).and(ofData);
        Condition management = hasType(DATA).not().and(ofManagement);
        return hasType(CONTROL).not().and(management.or(data));
    }

    Condition multicast() {
        return destination(offset -> loads.hasBits(LINK_HEADER, offset, B, 1));
    }
}
