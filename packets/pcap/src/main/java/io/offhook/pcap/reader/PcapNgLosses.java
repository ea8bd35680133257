package io.offhook.pcap.reader;

import io.offhook.pcap.CaptureLoss;
import io.offhook.pcap.LossList;
import java.util.Arrays;
import java.util.List;

/**
 * What a pcapng file says of packets that were lost while it was captured (draft-ietf-opsawg-pcapng).
 *
 * <p>A packet may tell how many were lost just before it (epb_dropcount, the drops count of an obsolete packet block):
 * these came behind the packet before. Interface statistics blocks tell sums since the capture began (isb_ifdrop,
 * isb_osdrop): what such a block has more than the one before of its interface, and no packet told, came in between, or
 * since the section began.
 */
final class PcapNgLosses {
    private static final int SECTION_START = -1;

    private final LossList losses;

    /** Of each interface: the sum told last, what packets told since, and the frame that it was told behind. */
    private long[] sum = new long[0];

    private long[] toldByPackets = new long[0];
    private long[] sinceFrame = new long[0];
    private long[] sinceNs = new long[0];

    /** The first frame of the section and its time. */
    private long firstFrame;

    private long firstNs;

    PcapNgLosses(String file) {
        losses = new LossList(file);
    }

    /** A section begins: its interfaces count anew. */
    void startSection(long nextFrame) {
        Arrays.fill(sum, 0);
        Arrays.fill(toldByPackets, 0);
        Arrays.fill(sinceFrame, SECTION_START);
        firstFrame = nextFrame;
    }

    /** A packet of the section was read: if it is the first, its time counts. */
    void packet(long frame, long timestampNs) {
        if (frame == firstFrame) {
            firstNs = timestampNs;
        }
    }

    /** A packet tells that so many were lost before it, behind the packet before. */
    void beforePacket(int index, long packets, long frame, long beforeNs, long timestampNs) {
        if (packets <= 0) {
            return;
        }
        makeRoom(index);
        toldByPackets[index] += packets;
        boolean isFirst = frame <= firstFrame;
        losses.add(packets, isFirst ? frame : frame - 1, frame, isFirst ? timestampNs : beforeNs, timestampNs);
    }

    /**
     * Statistics of an interface.
     *
     * @param total packets lost since the capture began, or below 0 where the block does not tell
     * @param lastFrame the frame that the block follows
     * @param lastNs its time
     */
    void statistics(int index, long total, long lastFrame, long lastNs) {
        if (total < 0) {
            return;
        }
        makeRoom(index);
        long before = total < sum[index] ? 0 : sum[index]; // less than before: it was counted anew
        long unplaced = total - before - toldByPackets[index];
        boolean sinceStart = sinceFrame[index] == SECTION_START;
        if (lastFrame < firstFrame) {
            losses.add(unplaced, lastFrame, lastFrame, lastNs, lastNs); // no packet of the section came through
        } else {
            losses.add(
                    unplaced,
                    sinceStart ? firstFrame : sinceFrame[index],
                    lastFrame,
                    sinceStart ? firstNs : sinceNs[index],
                    lastNs);
        }
        sum[index] = total;
        toldByPackets[index] = 0;
        if (lastFrame >= firstFrame) {
            sinceFrame[index] = lastFrame;
            sinceNs[index] = lastNs;
        }
    }

    private void makeRoom(int index) {
        int known = sum.length;
        if (index < known) {
            return;
        }
        int size = Math.clamp(known * 2L, index + 1, InterfaceTable.MOST);
        sum = Arrays.copyOf(sum, size);
        toldByPackets = Arrays.copyOf(toldByPackets, size);
        sinceNs = Arrays.copyOf(sinceNs, size);
        sinceFrame = Arrays.copyOf(sinceFrame, size);
        Arrays.fill(sinceFrame, known, size, SECTION_START);
    }

    List<CaptureLoss> snapshot() {
        return losses.snapshot();
    }
}
