package io.offhook.cli.rewrite;

import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.FrameRanges;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OptionSpec;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.command.TimeBound;
import io.offhook.cli.input.FrameFilter;
import io.offhook.cli.input.InputOptions;
import io.offhook.cli.terminal.Times;
import io.offhook.filter.PacketFilter;
import io.offhook.packet.edit.PacketAnonymizer;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.pcap.PcapNgBlock;
import io.offhook.pcap.file.EditedPacket;
import io.offhook.pcap.file.PacketEdit;
import io.offhook.pcap.file.PcapNgBlockView;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which packets {@code convert} and {@code split} write, and how they are changed: first it is chosen by what was
 * captured, then changed.
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
        since = bound(arguments, "--since", times);
        until = bound(arguments, "--until", times);
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
        option(
                spec,
                "--since",
                "TIME",
                "Only packets of then or later: 2026-11-21T14:03:07Z, or 14:03 of the day it begins on.");
        option(spec, "--until", "TIME", "Only packets of then or earlier.");
        option(spec, "--frames", "RANGES", "Only packets of these numbers: 1-10,17,100-");
        spec.addOption(OptionSpec.builder("--count")
                .paramLabel("N")
                .type(Long.class)
                .description("Stop after this many packets.")
                .build());
        spec.addOption(OptionSpec.builder("--snap-length")
                .paramLabel("BYTES")
                .type(Long.class)
                .description("Keep at most this many bytes of each packet.")
                .build());
        spec.addOption(OptionSpec.builder("--headers-only")
                .description("Keep no payload: each packet ends after its last known header.")
                .build());
        AnonymizeOptions.describe(spec);
    }

    private static void option(CommandSpec spec, String name, String label, String description) {
        spec.addOption(OptionSpec.builder(name)
                .paramLabel(label)
                .type(String.class)
                .description(description)
                .build());
    }

    /** The selection of these options; null if it is all packets as they are. */
    static @Nullable RewriteSelection of(ParseResult arguments, Times times) {
        RewriteSelection selection = new RewriteSelection(arguments, times);
        return selection.isOpen() ? null : selection;
    }

    private static @Nullable TimeBound bound(ParseResult arguments, String option, Times times) {
        String text = arguments.optionValue(option, String.class);
        return text == null ? null : TimeBound.of(option, text, option.equals("--until"), times.zone());
    }

    private static long limit(ParseResult arguments, String option, long otherwise, long most) {
        Long value = arguments.optionValue(option, Long.class);
        if (value != null && (value < 0 || value > most)) {
            throw new MisuseException(option + " " + value + " is not in 0 to " + most);
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
        // what comes behind the last header is payload, and fragments are that from the start
        return (int) (walker.layerOffset(last) + walker.layerHeaderLength(last) - packet.offset());
    }

    /** Of a capture without addresses, only blocks that have none: names reveal who spoke, secrets what was said. */
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

    /** The anonymiser; null if nothing is to be anonymised. */
    @Nullable
    PacketAnonymizer anonymizer() {
        return anonymizer;
    }

    boolean keepsPayload() {
        return !isHeadersOnly;
    }
}
