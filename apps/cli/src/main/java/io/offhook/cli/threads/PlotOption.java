package io.offhook.cli.threads;

import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.ParseResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** {@code --plot out.svg}. */
final class PlotOption {
    private static final String PLOT = "--plot";

    private PlotOption() {}

    static void describe(CommandSpec spec) {
        spec.addOption(
                PLOT, "FILE", String.class, "Draw the threads over time to this file, as SVG, when the time is over.");
    }

    /** The file; null if none is asked for. */
    static @Nullable Path of(ParseResult arguments) {
        String name = arguments.optionValue(PLOT, String.class);
        if (name == null) {
            return null;
        }
        if (!name.toLowerCase(Locale.ROOT).endsWith(".svg")) {
            throw new MisuseException(PLOT + " " + name + ": plots are SVG; name a file that ends in .svg"
                    + (name.endsWith(".png") ? ", of which rsvg-convert or a browser makes a PNG" : ""));
        }
        Path file = Path.of(name).toAbsolutePath();
        Path folder = file.getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw new MisuseException(PLOT + " " + name + ": there is no folder " + folder);
        }
        return file;
    }
}
