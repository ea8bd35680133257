package io.offhook.cli.input;

import io.offhook.live.Availability;
import io.offhook.live.CaptureRemedy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Shell commands that make capturing possible. */
public final class RemedyText {
    private RemedyText() {}

    /** All commands in one line; null if nothing is missing, or no command helps. */
    public static @Nullable String of(Availability availability) {
        List<String> lines = lines(availability);
        return lines.isEmpty() ? null : String.join(" && ", lines);
    }

    /** The commands, one per remedy, in order. */
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

    /** Runs one program with capabilities; file capabilities would prevent java from finding its libraries. */
    private static String with(List<String> capabilities) {
        String added = capabilities.stream()
                .map(name -> "+" + name.substring("CAP_".length()).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(","));
        return "sudo setpriv --reuid=$(id -u) --regid=$(id -g) --init-groups --inh-caps=" + added + " --ambient-caps="
                + added + " offhook ...";
    }
}
