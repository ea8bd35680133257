package io.offhook.research;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** {@code offhook bench}: runs suites and writes a report, or merges the reports of several machines. */
public final class Main {
    private static final int MISUSE = 2;
    private static final int UNWRITABLE = 4;
    private static final String USAGE = """
            Usage: offhook bench NAME|all --report FOLDER [--quick]
                   offhook bench merge REPORT.json... --report FOLDER

            Measures what crossing between Java and native memory costs, and writes report.md, report.json and plots.

            --report FOLDER  Where the report goes; made if it is not there.
            --quick          A short run of everything, to see that it runs; its figures mean little.

            Names:
            """;

    private Main() {}

    /** @param args as in the usage above */
    public static void main(String[] args) throws IOException {
        System.exit(run(List.of(args)));
    }

    private static int run(List<String> arguments) throws IOException {
        List<String> words = new ArrayList<>();
        Effort effort = Effort.FULL;
        Path folder = null;
        for (int i = 0; i < arguments.size(); i++) {
            String word = arguments.get(i);
            if (word.equals("--quick")) {
                effort = Effort.QUICK;
            } else if (word.equals("--report") && i + 1 < arguments.size()) {
                folder = Path.of(arguments.get(++i));
            } else if (word.equals("--help") || word.equals("-h")) {
                System.out.print(usage());
                return 0;
            } else if (word.startsWith("-")) {
                return misuse("there is no option " + word);
            } else {
                words.add(word);
            }
        }
        if (words.isEmpty()) {
            return misuse("the name of a suite is missing");
        }
        if (folder == null) {
            return misuse("--report FOLDER is missing");
        }
        return words.getFirst().equals("merge")
                ? merge(words.subList(1, words.size()), folder)
                : measure(words, effort, folder);
    }

    private static int measure(List<String> names, Effort effort, Path folder) throws IOException {
        List<Suite> suites = new ArrayList<>();
        for (String name : names) {
            List<Suite> found = Suites.all().stream()
                    .filter(suite -> name.equals("all") || suite.name().equals(name))
                    .toList();
            if (found.isEmpty()) {
                return misuse("there is no suite " + name);
            }
            suites.addAll(found);
        }
        Path unwritable = prepare(folder);
        if (unwritable != null) {
            return UNWRITABLE;
        }
        List<SuiteResult> results = new ArrayList<>();
        for (Suite suite : suites) {
            long startNs = System.nanoTime();
            System.err.printf(Locale.ROOT, "%s...%n", suite.name());
            results.add(suite.run(effort));
            System.err.printf(Locale.ROOT, "%s: %.0f s%n", suite.name(), (System.nanoTime() - startNs) / 1e9);
            // after each suite, so that an interrupted run leaves its results
            write(
                    new BenchReport(List.of(new BenchReport.Run(Machine.describe(), effort, List.copyOf(results)))),
                    folder);
        }
        System.out.println(folder.resolve("report.md"));
        return 0;
    }

    private static int merge(List<String> files, Path folder) throws IOException {
        if (files.isEmpty()) {
            return misuse("the reports to merge are missing");
        }
        List<BenchReport.Run> runs = new ArrayList<>();
        for (String file : files) {
            if (!Files.isReadable(Path.of(file))) {
                return misuse(file + " cannot be read");
            }
            runs.addAll(BenchReport.read(Path.of(file)).runs());
        }
        if (prepare(folder) != null) {
            return UNWRITABLE;
        }
        write(new BenchReport(runs), folder);
        System.out.println(folder.resolve("report.md"));
        return 0;
    }

    private static @Nullable Path prepare(Path folder) {
        try {
            Files.createDirectories(folder);
            return null;
        } catch (IOException e) {
            System.err.println("offhook: the report cannot be written: " + e.getMessage());
            return folder;
        }
    }

    private static void write(BenchReport report, Path folder) throws IOException {
        report.writeJson(folder.resolve("report.json"));
        new ReportMarkdown(report, new ReportCharts(folder)).write(folder.resolve("report.md"));
    }

    private static String usage() {
        StringBuilder names = new StringBuilder(USAGE);
        Suites.all().forEach(suite -> names.append(suite.name()).append('\n'));
        return names.toString();
    }

    private static int misuse(String what) {
        System.err.println("offhook: " + what);
        System.err.print(usage());
        return MISUSE;
    }
}
