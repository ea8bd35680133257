package io.offhook.pcap.reader;

import io.offhook.pcap.CaptureLoss;
import io.offhook.pcap.LossList;
import java.util.Arrays;
import java.util.List;

/**
 * The losses that a pcapng file declares (draft-ietf-opsawg-pcapng).
 *
 * <p>A packet may declare how many were lost just before it (epb_dropcount, or the drop count of an obsolete packet
 * block): these are placed after the packet before it. Interface statistics blocks declare totals since the capture
 * began (isb_ifdrop, isb_osdrop): the increase over the interface's previous block, less what packets have declared,
 * was lost between the two, or since the section began.
 */
final class PcapNgLosses {
    private static final int SECTION_START = -1;

    private final LossList losses;

    /**
     * For each interface: the last declared total, what packets have declared since, and the frame after which the
     * total came.
     */
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

    /** Starts a section: its interfaces count from 0. */
    void startSection(long nextFrame) {
        Arrays.fill(sum, 0);
        Arrays.fill(toldByPackets, 0);
        Arrays.fill(sinceFrame, SECTION_START);
        firstFrame = nextFrame;
    }

    /** Records a packet of the section; the time of the first one is kept. */
    void packet(long frame, long timestampNs) {
        if (frame == firstFrame) {
            firstNs = timestampNs;
        }
    }

    /** Records packets that a packet declares as lost between the packet before and itself. */
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
     * Records the statistics of an interface.
     *
     * @param total packets lost since the capture began; negative if not declared
     * @param lastFrame the frame before the block
     * @param lastNs the time of that frame
     */
    void statistics(int index, long total, long lastFrame, long lastNs) {
        if (total < 0) {
            return;
        }
        makeRoom(index);
        long before = total < sum[index] ? 0 : sum[index]; // less than before: the counter was reset
        long unplaced = total - before - toldByPackets[index];
        boolean sinceStart = sinceFrame[index] == SECTION_START;
        if (lastFrame < firstFrame) {
            losses.add(unplaced, lastFrame, lastFrame, lastNs, lastNs); // no packet of the section was captured
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
