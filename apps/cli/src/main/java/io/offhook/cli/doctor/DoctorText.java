package io.offhook.cli.doctor;

import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.doctor.DoctorReport;
import io.offhook.doctor.Finding;
import io.offhook.doctor.Remedy;
import io.offhook.doctor.Severity;
import io.offhook.doctor.Unread;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.util.List;

/** A doctor report for people, by severity: current value, advised value, reason, and commands to copy. */
final class DoctorText {
    private static final int INDENT = 6;

    private final Terminal terminal;
    private final boolean colored;
    private final StringBuilder text = new StringBuilder();

    DoctorText(Terminal terminal, boolean colored) {
        this.terminal = terminal;
        this.colored = colored;
    }

    void print(DoctorReport report, boolean isVerbose) throws IOException {
        for (Severity severity : Severity.values()) {
            List<Finding> findings = report.findings().stream()
                    .filter(finding -> finding.severity() == severity)
                    .toList();
            if (!findings.isEmpty() && (isVerbose || severity != Severity.FINE)) {
                heading(sentence(severity.words()), style(severity));
                findings.forEach(this::finding);
                text.append('\n');
            }
        }
        if (!report.unread().isEmpty()) {
            heading("Not read", Style.HEADING);
            report.unread().forEach(this::unread);
            text.append('\n');
        }
        summary(report, isVerbose);
        terminal.out().append(text);
    }

    private static Style style(Severity severity) {
        return switch (severity) {
            case LOSING, WOULD_LOSE -> Style.BAD;
            case HAS_LOST -> Style.WARNING;
            case ADVICE -> Style.NOTE;
            case FINE -> Style.GOOD;
        };
    }

    private static String sentence(String words) {
        return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }

    private void heading(String words, Style style) {
        style.append(text, words, colored);
        text.append('\n');
    }

    private void finding(Finding finding) {
        String subject = finding.subject().isEmpty() ? "" : finding.subject() + ": ";
        wrap(2, subject + finding.text());
        boolean isFine = finding.severity() == Severity.FINE;
        Finding.Setting setting = finding.setting();
        if (setting != null) {
            String unit = setting.unit().isEmpty() ? "" : " " + setting.unit();
            String advised = setting.advised();
            wrap(
                    INDENT,
                    setting.name() + " today " + number(setting.now())
                            + (advised == null
                                    ? unit
                                    : isFine
                                            ? unit + "; " + number(advised) + " would be advised, were it too little"
                                            : ", advised " + number(advised) + unit));
        }
        if (isFine) {
            return;
        }
        if (!finding.why().isEmpty()) {
            wrap(INDENT, "because " + finding.why() + " [" + finding.source() + "]");
        }
        for (Remedy remedy : finding.remedies()) {
            // never wrapped, so that they can be copied
            text.append(" ".repeat(INDENT));
            Style.HEADING.append(text, Text.printable(remedy.command()), colored);
            text.append('\n');
        }
    }

    /** Groups the digits if the value is a single number. */
    private static String number(String value) {
        return value.matches("\\d{4,18}") ? Decimals.grouped(Long.parseLong(value)) : value;
    }

    private void unread(Unread unread) {
        wrap(
                2,
                unread.what() + ": " + unread.reason() + " (" + unread.path() + ")"
                        + (unread.remedy().isEmpty() ? "" : "; " + unread.remedy()));
    }

    private void summary(DoctorReport report, boolean isVerbose) {
        long must = report.findings().stream()
                .filter(finding -> finding.severity().mustChange())
                .count();
        long fine = count(report, Severity.FINE);
        wrap(
                0,
                (must == 0 ? "Nothing must change" : Words.count(must, "thing") + " must change") + "; "
                        + Words.count(count(report, Severity.HAS_LOST), "counter") + " of earlier losses, "
                        + count(report, Severity.ADVICE) + " of advice, " + fine + " looked at and fine"
                        + (isVerbose || fine == 0 ? "" : " (-v shows them)") + ".");
    }

    private static long count(DoctorReport report, Severity severity) {
        return report.findings().stream()
                .filter(finding -> finding.severity() == severity)
                .count();
    }

    private void wrap(int indent, String words) {
        int width = terminal.isTerminal() ? terminal.helpWidth() : Integer.MAX_VALUE;
        text.append(" ".repeat(indent));
        int column = indent;
        boolean isFirst = true;
        for (String word : Text.printable(words).split(" ", -1)) {
            int needed = Text.width(word) + (isFirst ? 0 : 1);
            if (!isFirst && column + needed > width) {
                text.append('\n').append(" ".repeat(indent + 2));
                column = indent + 2;
                isFirst = true;
                needed = Text.width(word);
            }
            text.append(isFirst ? "" : " ").append(word);
            column += needed;
            isFirst = false;
        }
        text.append('\n');
    }
}
