package io.offhook.cli.input;

import io.offhook.live.Availability;
import io.offhook.live.CaptureRemedy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What would help to capture, as a line for a shell. */
public final class RemedyText {
    private RemedyText() {}

    /** All that helps, in one line; null where nothing does, or nothing is missing. */
    public static @Nullable String of(Availability availability) {
        List<String> lines = lines(availability);
        return lines.isEmpty() ? null : String.join(" && ", lines);
    }

    /** One for each that something helps with, in their order. */
    public static List<String> lines(Availability availability) {
        List<String> lines = new ArrayList<>();
        for (Availability.Need need : availability.needs()) {
            switch (need.remedy()) {
                case CaptureRemedy.None _ -> {}
                case CaptureRemedy.Capabilities capabilities -> lines.add(with(capabilities.names()));
                case CaptureRemedy.Root _ -> lines.add("sudo offhook ...");
                case CaptureRemedy.Command command -> lines.add(command.line());
            }
        }
        return lines;
    }

    /** Gives an ordinary user capabilities for one program: a file capability on java would break its libraries. */
    private static String with(List<String> capabilities) {
        String added = capabilities.stream()
                .map(name -> "+" + name.substring("CAP_".length()).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(","));
        return "sudo setpriv --reuid=$(id -u) --regid=$(id -g) --init-groups --inh-caps=" + added + " --ambient-caps="
                + added + " offhook ...";
    }
}
