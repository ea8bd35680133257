package io.offhook.cli.rewrite;

import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.FrameRanges;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.command.TimeBound;
import io.offhook.cli.input.FrameFilter;
import io.offhook.cli.input.InputOptions;
import io.offhook.filter.PacketFilter;
import io.offhook.packet.edit.PacketAnonymizer;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.pcap.PcapNgBlock;
import io.offhook.pcap.file.EditedPacket;
import io.offhook.pcap.file.PacketEdit;
import io.offhook.pcap.file.PcapNgBlockView;
import io.offhook.report.text.Times;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Selects the packets that {@code convert} and {@code split} write, and changes them. Packets are selected as captured, and
 * changed afterwards.
 */
final class RewriteSelection implements PacketEdit {
    private static final int LONGEST_PACKET = 16 << 20;

    private final @Nullable TimeBound since;
    private final @Nullable TimeBound until;
    private final @Nullable FrameRanges frames;
    private final @Nullable FrameFilter filter;
    private final Map<Integer, PacketFilter> filters = new HashMap<>();
    private final long count;
    private final int snapLength;
    private final boolean isHeadersOnly;
    private final @Nullable PacketAnonymizer anonymizer;
    private final PacketWalker walker = new PacketWalker();

    private long sinceNs = Long.MIN_VALUE;
    private long untilNs = Long.MAX_VALUE;
    private boolean isBegun;
    private long chosen;
    private long lastNumber;

    private RewriteSelection(ParseResult arguments, Times times) {
        since = TimeBound.since(arguments, times.zone());
        until = TimeBound.until(arguments, times.zone());
        String ranges = arguments.optionValue("--frames", String.class);
        frames = ranges == null ? null : FrameRanges.of(ranges);
        filter = InputOptions.filter(arguments);
        count = limit(arguments, "--count", Long.MAX_VALUE, Long.MAX_VALUE);
        snapLength = (int) limit(arguments, "--snap-length", LONGEST_PACKET, Integer.MAX_VALUE);
        isHeadersOnly = arguments.hasMatchedOption("--headers-only");
        anonymizer = AnonymizeOptions.of(arguments);
    }

    static void describe(CommandSpec spec) {
        InputOptions.describeFilter(spec);
        spec.addOption(
                "--since",
                "TIME",
                String.class,
                "Only packets of this time or later: 2026-11-21T14:03:07Z, or 14:03 on the capture's first day.");
        spec.addOption("--until", "TIME", String.class, "Only packets of this time or earlier.");
        spec.addOption("--frames", "RANGES", String.class, "Only packets with these numbers: 1-10,17,100-");
        spec.addOption("--count", "N", Long.class, "Stop after this many packets.");
        spec.addOption("--snap-length", "BYTES", Long.class, "Truncate each packet to this many bytes.");
        spec.addFlag("--headers-only", "Remove payloads: truncate each packet after its last known header.");
        AnonymizeOptions.describe(spec);
    }

    /** The selection that the arguments describe; null if it is all packets, unchanged. */
    static @Nullable RewriteSelection of(ParseResult arguments, Times times) {
        RewriteSelection selection = new RewriteSelection(arguments, times);
        return selection.isOpen() ? null : selection;
    }

    private static long limit(ParseResult arguments, String option, long otherwise, long most) {
        Long value = arguments.optionValue(option, Long.class);
        if (value != null && (value < 0 || value > most)) {
            throw new MisuseException(option + " " + value + " is outside 0 to " + most);
        }
        return value == null ? otherwise : value;
    }

    private boolean isOpen() {
        return since == null
                && until == null
                && frames == null
                && filter == null
                && count == Long.MAX_VALUE
                && snapLength >= LONGEST_PACKET
                && !isHeadersOnly
                && anonymizer == null;
    }

    @Override
    public boolean edit(EditedPacket packet) {
        if (!isBegun) {
            isBegun = true;
            sinceNs = since == null ? Long.MIN_VALUE : since.ns(packet.timestampNs());
            untilNs = until == null ? Long.MAX_VALUE : until.ns(packet.timestampNs());
        }
        lastNumber = packet.number();
        if (!isChosen(packet)) {
            return false;
        }
        chosen++;
        PacketAnonymizer anonymous = anonymizer;
        if (anonymous != null) {
            anonymous.anonymize(
                    packet.writable(),
                    packet.offset(),
                    packet.capturedLength(),
                    packet.wireLength(),
                    packet.linkType());
        }
        if (isHeadersOnly) {
            packet.cut(headerBytes(packet));
        }
        packet.cut(snapLength);
        return true;
    }

    private boolean isChosen(EditedPacket packet) {
        return chosen < count
                && packet.timestampNs() >= sinceNs
                && packet.timestampNs() <= untilNs
                && (frames == null || frames.contains(packet.number()))
                && matches(packet);
    }

    private boolean matches(EditedPacket packet) {
        FrameFilter ofLinkType = filter;
        if (ofLinkType == null) {
            return true;
        }
        PacketFilter found = filters.get(packet.linkType());
        if (found == null) {
            found = ofLinkType.apply(packet.linkType());
            filters.put(packet.linkType(), found);
        }
        return found.match(packet.segment(), packet.offset(), packet.capturedLength(), packet.wireLength()) != 0;
    }

    private int headerBytes(EditedPacket packet) {
        walker.walk(packet.segment(), packet.offset(), packet.capturedLength(), packet.wireLength(), packet.linkType());
        int last = walker.layerCount() - 1;
        if (last < 0) {
            return 0;
        }
        // bytes after the last header are payload, and fragments consist of payload only
        return (int) (walker.layerOffset(last) + walker.layerHeaderLength(last) - packet.offset());
    }

    /** In an anonymised capture, keeps only blocks without addresses: names reveal the parties, secrets the content. */
    @Override
    public boolean keepsBlock(PcapNgBlockView block) {
        return anonymizer == null || block.type() == PcapNgBlock.INTERFACE_STATISTICS;
    }

    @Override
    public boolean keepsOption(int blockType, int code) {
        return anonymizer == null || AnonymizeOptions.hasNoAddress(blockType, code);
    }

    @Override
    public boolean isDone() {
        return chosen >= count || frames != null && lastNumber >= frames.last();
    }

    /** The anonymiser; null if not requested. */
    @Nullable
    PacketAnonymizer anonymizer() {
        return anonymizer;
    }

    boolean keepsPayload() {
        return !isHeadersOnly;
    }
}
