package io.offhook.research.sharing;

import io.offhook.research.Chart;
import io.offhook.research.Effort;
import io.offhook.research.Measurement;
import io.offhook.research.NativeCode;
import io.offhook.research.Rounds;
import io.offhook.research.Suite;
import io.offhook.research.SuiteResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What it costs to read, change and write back a packet that native code has, too. */
public final class SharingSuite implements Suite {
    static final String GROUP = "share";
    private static final String QUESTION = """
            Native code has a packet, Java reads it, changes it and writes it back: what does that cost a packet, by the way
            they share it? The packet is an IPv4 and UDP header; read and changed are fields of 8, 16, 32 and 16 bits in
            network byte order (time to live, identification, source address, source port). A round is 1,000,000 packets;
            1,024 of them lie in 64 KiB, and are visited in turn. Ten rounds, the clock read between them only.

            Copied: into a Java object by JNI and back (its fields looked up by name each time; its setters and getters
            called; its fields set, their IDs kept), into a direct ByteBuffer by native code and back, into an object by
            Unsafe and back. In place: a direct ByteBuffer, and one of an array, which native code cannot see and which is there
            to compare; Javolution's Struct 6.0.0 over either, moved from packet to packet; Unsafe at an address, a MemorySegment a packet with the VarHandles
            of the structure, a base segment and an offset, and the product's own views (`Ipv4View`, `UdpView`), which check
            what they are put on: both put on the packet, its fields read, and written at base and offset; or header by
            header, each read and written by its view before the next one is put on. What those checks cost by themselves,
            Unsafe and base and offset say that make them too. For base and offset and for views the kind of memory
            counts, as the compiler goes by the kinds that the JDK's own methods have met, and has room for two of them: native
            only; native and mapped, every other packet; the same in a process that filled one heap segment before and never
            met another; or heap mixed in, every fourth packet.

            What others found earlier, on other machines and older JVMs: objects 300 to 650 times "direct" (Unsafe in place),
            the ByteBuffer with a native copy 2.74 times.
            """;

    private static final Map<String, String> OLD = Map.of(
            SharingTechniques.OBJECT_LOOKING_UP, "300 to 650",
            SharingTechniques.OBJECT_SETTERS, "300 to 650",
            SharingTechniques.OBJECT, "300 to 650",
            SharingTechniques.BYTE_BUFFER, "2.74",
            SharingTechniques.DIRECT, "1");

    private static final List<Chart> CHARTS = List.of(
            new Chart(GROUP, "A packet read, changed and written back", SharingTechniques.DIRECT),
            new Chart(Rounds.firstRounds(GROUP), "The first round of a process", SharingTechniques.DIRECT));

    /** A suite that {@link io.offhook.research.Main} lists. */
    public SharingSuite() {}

    @Override
    public String name() {
        return "sharing";
    }

    @Override
    public SuiteResult run(Effort effort) {
        Rounds.Amount amount =
                new Rounds.Amount(SharingTechniques.PACKETS, effort.pick(10, 1), effort.pick(10, 2), effort.pick(5, 1));
        String missing = new NativeCode("sharing").missing();
        List<Measurement> all = new Rounds(SharingTechniques.class, SharingTechniques.ALL, amount).run(GROUP, missing);
        List<String> remarks = new ArrayList<>();
        remarks.add(besideTheOld(all));
        if (missing != null) {
            remarks.add("C and what calls it were not measured: " + missing + ".");
        }
        remarks.add(amount.rule());
        return new SuiteResult(name(), "Sharing a packet", QUESTION, all, CHARTS, remarks).withCosts(SharingCosts.ALL);
    }

    private static String besideTheOld(List<Measurement> all) {
        Map<String, Double> scores = all.stream()
                .filter(m -> m.group().equals(GROUP))
                .collect(Collectors.toMap(Measurement::technique, Measurement::score));
        double direct = scores.getOrDefault(SharingTechniques.DIRECT, Double.NaN);
        StringBuilder table = new StringBuilder("| times \"direct\" | then | here |\n|---|---:|---:|\n");
        for (Measurement m : all) {
            String then = OLD.get(m.technique());
            if (then != null && m.group().equals(GROUP)) {
                table.append(
                        String.format(Locale.ROOT, "| %s | %s | %.2f |%n", m.technique(), then, m.score() / direct));
            }
        }
        return table.toString();
    }
}
