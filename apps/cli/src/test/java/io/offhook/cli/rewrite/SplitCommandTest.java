package io.offhook.cli.rewrite;

import static io.offhook.cli.Offhook.done;
import static io.offhook.cli.rewrite.WrittenFiles.names;
import static io.offhook.cli.rewrite.WrittenFiles.packets;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Captures;
import io.offhook.cli.Json;
import io.offhook.cli.Main;
import io.offhook.cli.Offhook;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.rewrite.WrittenFiles.Packet;
import io.offhook.cli.terminal.Terminal;
import io.offhook.report.text.Words;
import io.offhook.testkit.traffic.CaptureWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** split, as it is typed. */
class SplitCommandTest {
    @TempDir
    static Path office;

    @TempDir
    Path folder;

    private static String pcap = "";
    private static String pcapNg = "";

    @BeforeAll
    static void writeCaptures() {
        pcap = Captures.write(Captures.office().capture(), office, "office.pcap");
        pcapNg =
                Captures.write(Captures.office().capture(CaptureWriter.pcapng().dropped(930)), office, "office.pcapng");
    }

    @Test
    void splitsByPacketsBytesAndTime() throws IOException {
        int packets = packets(Path.of(pcap)).size();
        String out = done("split", pcap, "-w", folder.resolve("p.pcap").toString(), "--packets", "100")
                .out();
        assertThat(names(folder))
                .hasSize((packets + 99) / 100)
                .allMatch(name -> name.matches("p_\\d{5}_\\d{14}\\.pcap"));
        assertThat(out).contains(Words.count((packets + 99) / 100, "file") + " named as " + folder.resolve("p.pcap"));
        List<Packet> together = new ArrayList<>();
        names(folder).forEach(name -> together.addAll(packets(folder.resolve(name))));
        assertThat(together).isEqualTo(packets(Path.of(pcap)));
        done("split", pcap, "-w", folder.resolve("b.pcapng").toString(), "--bytes", "20k");
        for (String name : names(folder)) {
            assertThat(Files.size(folder.resolve(name))).isLessThanOrEqualTo(name.startsWith("b") ? 20_000 : 100_000);
        }
        done("split", pcap, "-w", folder.resolve("s.pcapng").toString(), "--seconds", "0.5", "--keep", "2");
        assertThat(names(folder).stream().filter(name -> name.startsWith("s"))).hasSize(2);
    }

    @Test
    void splitsPerCallAsCallWrites() throws IOException {
        for (String capture :
                List.of(pcapNg, Path.of("../../samples/calls.pcap").toString())) {
            Path parts = Files.createDirectory(folder.resolve("parts"));
            String out = done(
                            "split", capture, "-w", parts.resolve("call.pcapng").toString(), "--per", "call")
                    .out();
            List<Path> files;
            try (Stream<Path> found = Files.list(parts)) {
                files = found.sorted().toList();
            }
            assertThat(files).hasSizeGreaterThan(3);
            assertThat(out).contains(" written to " + Words.count(files.size(), "file") + " named as ");
            for (int i = 0; i < files.size(); i++) {
                assertThat(files.get(i).getFileName().toString())
                        .startsWith(String.format(Locale.ROOT, "call_%05d_", i + 1));
                Path one = folder.resolve("one.pcapng");
                done("call", "@" + (i + 1), capture, "-w", one.toString());
                assertThat(Files.readAllBytes(files.get(i)))
                        .as("call " + (i + 1))
                        .isEqualTo(Files.readAllBytes(one));
                Files.delete(files.get(i));
            }
            Files.delete(parts);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"pcap", "pcapng", "pcapng.gz", "pcap.zst"})
    void splitsPerFlow(String ending) throws IOException {
        String name = folder.resolve("flow." + ending).toString();
        done("split", pcapNg, "-w", name, "--per", "flow");
        int flows = Json.objects(
                        Json.object(done("flows", pcapNg, "--format", "json").out())
                                .get("flows"))
                .size();
        assertThat(names(folder)).hasSize(flows);
        List<Packet> all = new ArrayList<>();
        for (String part : names(folder)) {
            List<Packet> packets = packets(folder.resolve(part));
            assertThat(packets).isSortedAccordingTo(Comparator.comparingLong(Packet::timestampNs));
            all.addAll(packets);
            assertThat(Json.objects(
                            Json.object(done("flows", folder.resolve(part).toString(), "--format", "json")
                                            .out())
                                    .get("flows")))
                    .hasSize(1);
        }
        assertThat(all).containsExactlyInAnyOrderElementsOf(packets(Path.of(pcapNg)));
    }

    @Test
    void splitsStandardInputPerCall() throws IOException {
        byte[] file = Files.readAllBytes(Path.of(pcap));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Terminal terminal = new Offhook().input(file).terminal(out, err);
        String name = folder.resolve("call.pcap").toString();
        assertThat(Main.run(new String[] {"split", "-", "-w", name, "--per", "call"}, terminal))
                .isZero();
        assertThat(err.size()).isZero();
        assertThat(names(folder)).isNotEmpty().allMatch(part -> part.matches("call_\\d{5}_\\d{14}\\.pcap"));
    }

    @Test
    void doesNotSplitOverWhatItReads() throws IOException {
        done("split", pcap, "-w", folder.resolve("a.pcap").toString(), "--packets", "100");
        String first = folder.resolve(names(folder).getFirst()).toString();
        byte[] before = Files.readAllBytes(Path.of(first));
        Offhook.Result result =
                Offhook.run("split", first, "-w", folder.resolve("a.pcap").toString(), "--packets", "10");
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(result.err()).contains("is being read, and would be overwritten");
        assertThat(Files.readAllBytes(Path.of(first))).isEqualTo(before);
    }

    @Test
    void splitsIntoASeriesNamedAfterTheInput() throws IOException {
        Path file = Files.copy(Path.of(pcap), folder.resolve("a.pcap"));
        done("split", file.toString(), "-w", file.toString(), "--packets", "1000000");
        assertThat(names(folder)).hasSize(2).contains("a.pcap");
        assertThat(packets(folder.resolve(names(folder).getLast()))).isEqualTo(packets(file));
    }
}
