package io.offhook.cli.screen;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.kept.KeepSettings;
import io.offhook.cli.calls.CallSelection;
import io.offhook.cli.calls.LiveCalls;
import io.offhook.cli.calls.LiveHeading;
import io.offhook.cli.command.Amount;
import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.input.InputOptions;
import io.offhook.cli.input.KeyOptions;
import io.offhook.cli.input.LaneOptions;
import io.offhook.cli.input.LiveInput;
import io.offhook.cli.input.LiveOptions;
import io.offhook.cli.input.OpenCapture;
import io.offhook.cli.input.RereadableFiles;
import io.offhook.cli.terminal.Interruption;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Terminal.ColorMode;
import io.offhook.report.text.Times;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** {@code offhook browse FILE...}, {@code offhook browse -i NAME}: walks through calls on a terminal. */
public final class BrowseCommand implements Command {
    private static final String ASCII = "--ascii";
    private static final String THEME = "--theme";
    private static final String COLOR = "--color";
    private static final String KEEP_PACKETS = "--keep-packets";

    /** The default of {@code --keep-packets}: 256 MiB, a quarter of an hour of ten calls at a time. */
    private static final long KEPT_BYTES = 256L << 20;

    private static final int WHITE = 7;
    private static final int FIRST_BRIGHT = 9;

    /** The values of {@code --theme}. */
    enum Theme {
        DARK,
        LIGHT;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Override
    public void describe(CommandSpec spec) {
        InputOptions.describeFiles(spec, 0);
        InputOptions.describeFilter(spec);
        CallSelection.describe(spec);
        InputOptions.describeMedia(spec);
        InputOptions.describeJoins(spec);
        KeyOptions.describe(spec);
        spec.addOption(
                THEME,
                "WHICH",
                Theme.class,
                "Colours for a dark or a light background (default: what COLORFGBG says, else dark).");
        spec.addOption(COLOR, "WHEN", ColorMode.class, "auto (default: unless NO_COLOR is set), always or never.");
        spec.addFlag(ASCII, "Draw with ASCII only (default where the character set of the terminal has no more).");
        spec.addFlag("--utc", "Use UTC instead of local time.");
        InputOptions.describeLanes(spec);
        LiveOptions.describeInsteadOfFiles(spec);
        LaneOptions.describe(spec);
        LiveCalls.describe(spec);
        spec.addOption(
                KEEP_PACKETS,
                "SIZE",
                String.class,
                "With -i: keep the last packets of calls, at most SIZE (default 256Mi; 0: none), in a temporary folder for F2.");
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        if (!terminal.isTerminal()) {
            throw new MisuseException(KeyInput.noTerminal("standard output is none"));
        }
        View view = new View(
                Times.of(arguments.hasMatchedOption("--utc")),
                terminal.isUnicode() && !arguments.hasMatchedOption(ASCII));
        CallSelection selection = CallSelection.of(arguments);
        Palette palette = palette(arguments, terminal);
        return LiveOptions.isGiven(arguments)
                ? live(arguments, selection, view, palette, terminal)
                : files(arguments, selection, view, palette, terminal);
    }

    private static int live(
            ParseResult arguments, CallSelection selection, View view, Palette palette, Terminal terminal)
            throws IOException {
        LaneOptions lanes = LaneOptions.of(arguments);
        AnalysisOptions analysis = LiveCalls.analysis(arguments);
        AnalysisOptions options = analysis.withMedia(analysis.media().withIntervals(true));
        LiveOptions live = LiveOptions.of(arguments);
        long keptBytes = keptBytes(arguments);
        if (live.isRehearsed()) {
            LiveCalls.rehearse(live, options);
        }
        try (KeyOptions keys = KeyOptions.of(arguments, List.of());
                LiveInput input = LiveInput.open("browse", live, lanes.placement());
                LivePackets packets = keptBytes == 0 ? null : packets(keptBytes, keys)) {
            LiveCallSource source = new LiveCallSource(
                    input.source(),
                    input.names(),
                    input::isInterrupted,
                    view,
                    lanes.placement(),
                    options.lanes(),
                    LiveCalls.remembered(arguments));
            input.start(false, terminal);
            source.start(keys == null ? options : keys.in(options), packets);
            try (source) {
                new Browser(source, terminal, palette)
                        .run(new ScreenStack(source, view, new ListScreen(source, view, selection)));
            }
            return report(source.result(), lanes, input, terminal);
        }
    }

    /** Reports what was captured and dropped in all; returns the exit code. */
    private static int report(@Nullable AnalysisResult result, LaneOptions lanes, LiveInput input, Terminal terminal)
            throws IOException {
        if (result == null) {
            return input.reportFaults(null, ExitCode.DONE, terminal);
        }
        LaneOptions.text(lanes.reported(), terminal.out());
        terminal.out()
                .append(LiveHeading.last(
                        input.source().counts(), result.capture().counters()))
                .append('\n');
        terminal.flush();
        return input.reportFaults(result.defect(), ExitCode.DONE, terminal);
    }

    /** How many bytes of packets are to be kept; 0 for none. */
    private static long keptBytes(ParseResult arguments) {
        String size = arguments.optionValue(KEEP_PACKETS, String.class);
        if (size == null || size.equals("0")) {
            return size == null ? KEPT_BYTES : 0;
        }
        long bytes = Amount.bytes(KEEP_PACKETS, size);
        if (bytes < KeepSettings.LEAST_BYTES) {
            throw new MisuseException(KEEP_PACKETS + " " + size + " is too little; at least 16Mi are needed, or 0");
        }
        return bytes;
    }

    private static LivePackets packets(long bytes, @Nullable KeyOptions keys) {
        try {
            return LivePackets.open(bytes, keys);
        } catch (IOException e) {
            throw new MisuseException("packets cannot be kept in " + System.getProperty("java.io.tmpdir") + ": "
                    + e.getMessage() + "; " + KEEP_PACKETS + " 0 keeps none");
        }
    }

    private static int files(
            ParseResult arguments, CallSelection selection, View view, Palette palette, Terminal terminal)
            throws IOException {
        if (arguments.hasMatchedOption(KEEP_PACKETS)) {
            throw new MisuseException(KEEP_PACKETS + " requires -i NAME: packets of files are read from these again");
        }
        List<String> paths = InputOptions.files(arguments, 0);
        if (paths.contains("-")) {
            throw new MisuseException(
                    "offhook browse takes keys from standard input, not captures; write them to a file" + " first");
        }
        AnalysisOptions analysis = InputOptions.analysis(arguments);
        AnalysisOptions options = analysis.withMedia(analysis.media().withIntervals(true));
        try (RereadableFiles files = RereadableFiles.of(paths, InputOptions.filter(arguments), terminal, true)
                        .decrypted(arguments);
                FileCalls source = new FileCalls(files, options, view)) {
            source.start();
            Browser browser = new Browser(source, terminal, palette);
            try (Interruption _ = Interruption.of(browser::stop)) {
                browser.run(new ScreenStack(source, view, new ListScreen(source, view, selection)));
            }
            return OpenCapture.report(source.faults(), files.defect(), ExitCode.DONE, terminal);
        }
    }

    private static Palette palette(ParseResult arguments, Terminal terminal) {
        if (!terminal.isColored(arguments.matchedOptionValue(COLOR, ColorMode.AUTO))) {
            return Palette.NONE;
        }
        Theme theme = arguments.optionValue(THEME, Theme.class);
        if (theme == null) {
            return isLight(terminal.environment("COLORFGBG")) ? Palette.LIGHT : Palette.DARK;
        }
        return theme == Theme.LIGHT ? Palette.LIGHT : Palette.DARK;
    }

    /** "0;15": what rxvt, Konsole and others say of foreground and background, by the numbers of the 16 colours. */
    static boolean isLight(@Nullable String colours) {
        if (colours == null || !colours.matches("[0-9]+;([a-z0-9]+;)?[0-9]{1,2}")) {
            return false;
        }
        int background = Integer.parseInt(colours.substring(colours.lastIndexOf(';') + 1));
        return background == WHITE || background >= FIRST_BRIGHT;
    }
}
