package io.offhook.cli.doctor;

import io.offhook.cli.terminal.Text;
import io.offhook.doctor.DoctorReport;
import io.offhook.doctor.Finding;
import io.offhook.doctor.Remedy;
import io.offhook.doctor.Severity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The files of {@code --emit}, which apply the advice when the user runs them. */
final class DoctorScripts {
    /** The file for /etc/sysctl.d. */
    static final String SYSCTL = "sysctl.conf";
    /** The file for everything else. */
    static final String COMMANDS = "commands.sh";

    private DoctorScripts() {}

    static String of(String kind, DoctorReport report) {
        return kind.equals(SYSCTL) ? sysctl(report) : commands(report);
    }

    /** Lists each setting once, with the largest advised value. */
    private static String sysctl(DoctorReport report) {
        Map<String, Advice> settings = new LinkedHashMap<>();
        for (Finding finding : report.findings()) {
            for (Remedy remedy : finding.remedies()) {
                String name = remedy.sysctl();
                if (name != null && finding.severity() != Severity.FINE) {
                    settings.merge(name, new Advice(remedy.value(), finding), (one, other) -> one.with(other, name));
                }
            }
        }
        StringBuilder text = new StringBuilder("# What offhook doctor advised. To use it:\n"
                + "#   cp sysctl.conf /etc/sysctl.d/90-offhook.conf && sysctl --system\n");
        settings.forEach((name, advice) -> {
            text.append('\n');
            comment(text, advice.finding());
            text.append(name).append(" = ").append(advice.value()).append('\n');
        });
        if (settings.isEmpty()) {
            text.append("\n# no setting needs to change\n");
        }
        return text.toString();
    }

    /** An advised value and the finding that explains it. */
    private record Advice(String value, Finding finding) {
        /** The larger value, with the finding that is about the setting itself. */
        Advice with(Advice other, String name) {
            Finding.Setting setting = other.finding.setting();
            boolean isAboutIt = setting != null && setting.name().equals(name);
            return new Advice(larger(value, other.value), isAboutIt ? other.finding : finding);
        }

        private static String larger(String one, String other) {
            try {
                return Long.parseLong(one) >= Long.parseLong(other) ? one : other;
            } catch (NumberFormatException e) {
                return other;
            }
        }
    }

    private static void comment(StringBuilder text, Finding finding) {
        String subject = finding.subject().isEmpty() ? "" : finding.subject() + ": ";
        Finding.Setting setting = finding.setting();
        text.append("# ").append(Text.printable(subject + finding.text())).append('\n');
        if (setting != null) {
            text.append("# today ")
                    .append(Text.printable(setting.name() + " " + setting.now() + " " + setting.unit())
                            .strip());
            text.append('\n');
        }
        text.append("# because ")
                .append(Text.printable(finding.why() + " [" + finding.source() + "]"))
                .append('\n');
    }

    private static String commands(DoctorReport report) {
        StringBuilder text = new StringBuilder("""
            #!/bin/sh
            # What offhook doctor advised that is no sysctl. It lasts until the next start of the machine, or until
            # the interface is made anew. To do it at every start:
            #   install -m 755 commands.sh /usr/local/sbin/offhook-commands
            #   systemctl edit --force --full offhook-commands.service
            #     [Unit]
            #     After=network-online.target
            #     Wants=network-online.target
            #     [Service]
            #     Type=oneshot
            #     ExecStart=/usr/local/sbin/offhook-commands
            #     [Install]
            #     WantedBy=multi-user.target
            #   systemctl enable --now offhook-commands
            """);
        boolean isEmpty = true;
        for (Finding finding : report.findings()) {
            List<Remedy> remedies = finding.severity() == Severity.FINE
                    ? List.of()
                    : finding.remedies().stream()
                            .filter(remedy -> remedy.sysctl() == null)
                            .toList();
            if (!remedies.isEmpty()) {
                isEmpty = false;
                text.append('\n');
                comment(text, finding);
                for (Remedy remedy : remedies) {
                    // the user must fill in the unit
                    text.append(remedy.command().contains(" UNIT ") ? "# " : "")
                            .append(remedy.command())
                            .append('\n');
                }
            }
        }
        return isEmpty ? text.append("\n# no command is needed\n").toString() : text.toString();
    }
}
