package io.offhook.library;

import io.offhook.filter.PacketFilter;
import io.offhook.flow.Holding;
import io.offhook.flow.OverlapPolicy;
import io.offhook.flow.fragment.FragmentCounter;
import io.offhook.flow.fragment.FragmentLimits;
import io.offhook.flow.fragment.FragmentTable;
import io.offhook.flow.table.Flow;
import io.offhook.flow.table.FlowCounter;
import io.offhook.flow.table.FlowHandler;
import io.offhook.flow.table.FlowLimits;
import io.offhook.flow.table.FlowTable;
import io.offhook.flow.tcp.TcpCounter;
import io.offhook.flow.tcp.TcpLimits;
import io.offhook.flow.tcp.TcpStream;
import io.offhook.flow.tcp.TcpStreamHandler;
import io.offhook.flow.tcp.TcpStreams;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.PacketSink;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.pcap.file.CaptureMemory;
import io.offhook.pcap.file.PcapNgWriter;
import io.offhook.pcap.file.PcapWriter;
import io.offhook.pcap.file.RotatingSink;
import io.offhook.pcap.file.RotationLimits;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * A program of its own: millions of packets from files and from memory, opened anew for each lot, through walker, filter,
 * flow table, fragments and TCP streams that live as long as it does; at checkpoints, what memory is in use after a
 * collection. Each lot has addresses of its own, so that the tables evict.
 */
final class ManyPackets {
    private static final int LOT = 100_000;

    private final Path folder;
    private final Leak leak;
    private final Tables tables;
    private final PacketWalker walker = new PacketWalker();
    private final ComingAndGoing traffic = new ComingAndGoing(LOT);
    private final List<Object> leaked = new ArrayList<>();
    private final MemorySegment scratch = Arena.global().allocate(2048);
    private long packets;
    private long matched;

    /** What a consumer forgets to give back, so that one sees that it is caught; some bytes for each 200th packet. */
    enum Leak {
        NONE,
        HEAP,
        NATIVE
    }

    private ManyPackets(Path folder, Leak leak) {
        this.folder = folder;
        this.leak = leak;
        tables = new Tables();
    }

    /** {@code java ManyPackets FOLDER PACKETS CHECKPOINTS LEAK}: writes checkpoints and counts to FOLDER/report. */
    public static void main(String[] args) throws IOException, JMException {
        Path folder = Path.of(args[0]);
        ManyPackets many = new ManyPackets(folder, Leak.valueOf(args[3]));
        String report = many.run(Long.parseLong(args[1]), Integer.parseInt(args[2]));
        Files.writeString(folder.resolve("report"), report);
    }

    private String run(long most, int checkpoints) throws IOException, JMException {
        write(PcapWriter.create(folder.resolve("a.pcap"), LinkType.ETHERNET));
        write(PcapNgWriter.create(folder.resolve("b.pcapng.gz")));
        write(PcapNgWriter.create(folder.resolve("c.pcapng.zst")));
        StringBuilder report = new StringBuilder();
        long every = most / checkpoints;
        int lots = 0;
        while (packets < most) {
            lot(lots);
            lots++;
            if (packets % every == 0) {
                report.append(Checkpoint.take(packets));
            }
        }
        tables.report(report);
        report.append("count\tmatched\t").append(matched).append('\n');
        report.append("count\tleaked\t").append(leaked.size()).append('\n');
        return report.toString();
    }

    private void write(PacketSink sink) {
        try (sink) {
            traffic.write(sink);
        }
    }

    /** From files of several kinds in turn; every fourth out of memory, and written anew besides. */
    private void lot(int number) {
        PacketFilter filter = PacketFilter.of("udp or tcp port " + (1024 + number % 1000), LinkType.ETHERNET);
        String first = folder.resolve("a.pcap").toString();
        switch (number % 4) {
            case 0 -> drain(CaptureFiles.open(first), number, filter);
            case 1 -> drain(CaptureFiles.open(folder.resolve("b.pcapng.gz").toString()), number, filter);
            case 2 -> drain(CaptureFiles.open(folder.resolve("c.pcapng.zst").toString()), number, filter);
            default -> {
                try (CaptureMemory memory = CaptureMemory.load(List.of(first), 64 << 20)) {
                    drain(memory.replay(), number, filter);
                }
                write(RotatingSink.create(
                        folder.resolve("rotated.pcapng"), CaptureFormat.PCAPNG, new RotationLimits(4 << 20, 0, 0, 2)));
            }
        }
    }

    private void drain(PacketSource opened, int lot, PacketFilter filter) {
        FrameBatch batch = new FrameBatch(1024);
        long laterNs = lot * traffic.spanNs();
        try (PacketSource source = opened) {
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    int length = batch.capturedLength(i);
                    MemorySegment.copy(batch.segmentOf(i), batch.offset(i), scratch, 0, length);
                    // the destination: other flows, datagrams and streams in each lot
                    NetworkOrder.putU32(scratch, 30, 0x0a000000L + lot);
                    packet(filter, length, batch.timestampNs(i) + laterNs);
                }
            }
        }
    }

    private void packet(PacketFilter filter, int length, long timestampNs) {
        packets++;
        walker.walk(scratch, 0, length, length, LinkType.ETHERNET);
        matched += filter.match(scratch, 0, length, length) == 0 ? 0 : 1;
        tables.packet(walker, length, timestampNs, packets);
        if (packets % 200 == 0) {
            switch (leak) {
                case HEAP -> leaked.add(new byte[16]);
                case NATIVE -> Arena.global().allocate(256);
                case NONE -> {}
            }
        }
    }

    /** The tables, with limits that the traffic meets. */
    private static final class Tables implements TcpStreamHandler {
        private final FlowTable flows = new FlowTable(new FlowLimits(900, 500_000_000L, 60_000_000_000L), this::ended);
        private final FragmentTable fragments = new FragmentTable(
                new FragmentLimits(64, 1 << 19, 64, 100_000_000L), OverlapPolicy.FIRST, Holding.COPY, null);
        private final TcpStreams streams = new TcpStreams(
                new TcpLimits(1000, 1 << 16, 1 << 20, 64, 4, 50_000_000L, 1_500_000_000L),
                OverlapPolicy.LINUX,
                Holding.COPY,
                this);
        private long ends;
        private long flowsEnded;

        void packet(PacketWalker walker, int length, long timestampNs, long number) {
            flows.add(walker, length, timestampNs, number);
            if (walker.isFragment()) {
                fragments.add(walker, timestampNs, number);
            } else {
                streams.segment(walker, timestampNs, number);
            }
        }

        private void ended(Flow flow, FlowHandler.End reason) {
            flowsEnded += flow.packets() > 0 ? 1 : 0;
        }

        @Override
        public Pickup pickup(MemorySegment segment, long payloadOffset, int payloadLength) {
            return Pickup.NOW;
        }

        @Override
        public void data(TcpStream s, MemorySegment segment, long offset, int length, long timestampNs, long number) {}

        @Override
        public void gap(TcpStream stream, long missingBytes, long timestampNs, long frameNumber) {}

        @Override
        public void end(TcpStream stream, End reason) {
            ends++;
        }

        void report(StringBuilder report) {
            for (FlowCounter counter : FlowCounter.values()) {
                line(report, counter.label(), flows.count(counter));
            }
            for (FragmentCounter counter : FragmentCounter.values()) {
                line(report, counter.label(), fragments.count(counter));
            }
            for (TcpCounter counter : TcpCounter.values()) {
                line(report, counter.label(), streams.count(counter));
            }
            line(report, "streamsEnded", ends);
            line(report, "flowsEnded", flowsEnded);
        }

        private static void line(StringBuilder report, String name, long count) {
            report.append("count\t").append(name).append('\t').append(count).append('\n');
        }
    }

    /** What is in use after a collection, in bytes; a line each. */
    private static final class Checkpoint {
        private static final Pattern NATIVE = Pattern.compile("Other \\(reserved=\\d+KB, committed=(\\d+)KB");

        private Checkpoint() {}

        static String take(long packets) throws IOException, JMException {
            System.gc();
            System.gc();
            long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
            int classes = ManagementFactory.getClassLoadingMXBean().getLoadedClassCount();
            return String.format(
                    Locale.ROOT,
                    "checkpoint\t%d\t%d\t%d\t%d\t%d\n",
                    packets,
                    heap,
                    nativeBytes(),
                    residentBytes(),
                    classes);
        }

        /** What memory segments, direct buffers and libraries took with the machine's knowledge. */
        private static long nativeBytes() throws JMException {
            String summary = (String) ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "vmNativeMemory",
                            new Object[] {new String[] {"summary"}},
                            new String[] {String[].class.getName()});
            Matcher matcher = NATIVE.matcher(summary);
            return matcher.find() ? Long.parseLong(matcher.group(1)) << 10 : 0;
        }

        /** Of the whole process, without mapped files: what the machine does not know of too. */
        private static long residentBytes() throws IOException {
            Path status = Path.of("/proc/self/status");
            if (!Files.exists(status)) {
                return 0;
            }
            for (String line : Files.readAllLines(status)) {
                if (line.startsWith("RssAnon:")) {
                    return Long.parseLong(line.replaceAll("\\D", "")) << 10;
                }
            }
            return 0;
        }
    }
}
