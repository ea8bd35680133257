package io.offhook.testkit.generate;

import io.offhook.testkit.traffic.CaptureWriter;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.truth.Truth;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** {@code offhook generate}: writes a capture and the truth about it. */
public final class Main {
    /** The exit code for a wrong command line. */
    static final int MISUSE = 2;

    /** The exit code if a file could not be written. */
    static final int UNWRITABLE = 4;

    private static final String USAGE = """
            Usage: offhook generate OUT.pcap TRUTH.json [options]

            Writes a capture of many SIP calls with RTP, and the truth about them, counted while generating packets. The
            same options give the same bytes. OUT is pcapng if its name contains .pcapng, and gzip if it ends in .gz.

              --calls N        calls, 1 to 1000000 (100)
              --seconds S      average talk time of an answered call (15)
              --cps R          calls started per second (20)
              --seed K         seed of the random numbers (1)
              --background N   packets other than VoIP, mixed in (0)
              --loss P         RTP packets lost (0.01): none in half of all streams, P in a quarter, 3 P in the rest
              --dup P          RTP packets that arrive twice (0)
              --reorder P      RTP packets that arrive after the next one (0)
              --tcp P          calls with SIP over TCP, segmented at arbitrary places (0)
              --ipv6 P         calls over IPv6 (0)
              --vlan P         calls with a VLAN tag (0)
              --outcomes LIST  answered, busy, cancelled, declined, noanswer, auth, each with its weight
                               (answered:80,busy:6,cancelled:5,declined:3,noanswer:3,auth:3)

            P is a fraction from 0 to 1.
            """;

    private Main() {}

    /** @param args as in the usage above */
    public static void main(String[] args) {
        System.exit(run(List.of(args), System.out, System.err));
    }

    /** As {@link #main}, but returns the exit code instead of exiting. */
    static int run(List<String> words, PrintStream out, PrintStream err) {
        if (words.contains("--help") || words.contains("-h")) {
            out.print(USAGE);
            return 0;
        }
        try {
            Map<String, String> values = new HashMap<>();
            List<Path> files = files(words, values);
            out.println(generate(GenerateOptions.of(values), files.getFirst(), files.getLast()));
            return 0;
        } catch (MisuseException e) {
            err.println("offhook: " + e.getMessage());
            err.println("offhook: offhook generate --help lists the options");
            return MISUSE;
        } catch (FileSystemException e) {
            String reason = e.getReason() == null ? e.getClass().getSimpleName() : e.getReason();
            err.println("offhook: " + e.getFile() + " cannot be written: " + reason);
            return UNWRITABLE;
        } catch (IOException e) {
            err.println("offhook: the files cannot be written: " + e.getMessage());
            return UNWRITABLE;
        }
    }

    /**
     * Returns the two files and adds options, given as {@code --name value} or {@code --name=value}, to {@code values}.
     */
    private static List<Path> files(List<String> words, Map<String, String> values) throws MisuseException {
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (!word.startsWith("-")) {
                files.add(Path.of(word));
                continue;
            }
            int equals = word.indexOf('=');
            String name = equals < 0 ? word : word.substring(0, equals);
            if (!GenerateOptions.isOption(name)) {
                throw new MisuseException("there is no option " + name);
            }
            if (equals < 0 && i + 1 == words.size()) {
                throw new MisuseException(name + " needs a value");
            }
            values.put(name, equals < 0 ? words.get(++i) : word.substring(equals + 1));
        }
        if (files.size() != 2) {
            throw new MisuseException("two files are needed, OUT.pcap and TRUTH.json; given: " + files.size());
        }
        return files;
    }

    /** Generates the traffic and writes both files; returns a summary. */
    private static String generate(GenerateOptions options, Path capture, Path truthFile) throws IOException {
        Traffic traffic = GeneratedTraffic.of(options);
        Truth truth = traffic.write(writer(capture), capture);
        Files.writeString(truthFile, truth.toJson());
        return truth.packets() + " packets, " + truth.calls().size() + " calls, "
                + truth.streams().size() + " streams";
    }

    private static CaptureWriter writer(Path file) {
        String name = file.getFileName().toString();
        CaptureWriter plain = name.contains(".pcapng") ? CaptureWriter.pcapng() : CaptureWriter.pcap();
        return name.endsWith(".gz") ? plain.gzip() : plain;
    }
}
