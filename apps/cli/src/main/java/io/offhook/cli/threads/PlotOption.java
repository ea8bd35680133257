package io.offhook.cli.threads;

import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.ParseResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** {@code --plot out.svg}, {@code --plot out.png}. */
final class PlotOption {
    private static final String PLOT = "--plot";
    private static final String PNG = ".png";

    private PlotOption() {}

    static void describe(CommandSpec spec) {
        spec.addOption(
                PLOT,
                "FILE",
                String.class,
                "Draw the threads over time to this file, .svg or .png, when the time is over.");
    }

    /** The file; null if none is asked for. */
    static @Nullable Path of(ParseResult arguments) {
        String name = arguments.optionValue(PLOT, String.class);
        if (name == null) {
            return null;
        }
        if (!hasEnding(name, ".svg") && !hasEnding(name, PNG)) {
            throw new MisuseException(
                    PLOT + " " + name + ": plots are SVG or PNG; name a file that ends in .svg or .png");
        }
        Path file = Path.of(name).toAbsolutePath();
        Path folder = file.getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw new MisuseException(PLOT + " " + name + ": there is no folder " + folder);
        }
        return file;
    }

    /** Whether the file is to have pixels. */
    static boolean isPng(Path file) {
        return hasEnding(file.toString(), PNG);
    }

    private static boolean hasEnding(String name, String ending) {
        return name.toLowerCase(Locale.ROOT).endsWith(ending);
    }
}
