package io.offhook.doctor;

import java.util.Comparator;
import java.util.List;

/**
 * What a look at a machine brought.
 *
 * @param findings the worst first, those of the same severity in the order of the rules
 * @param unread what could not be looked at
 */
public record DoctorReport(List<Finding> findings, List<Unread> unread) {
    /** Sorts. */
    public DoctorReport {
        findings = findings.stream()
                .sorted(Comparator.comparing(Finding::severity))
                .toList();
        unread = List.copyOf(unread);
    }

    /** Whether something must change: packets get lost, or would. */
    public boolean mustChange() {
        return findings.stream().anyMatch(finding -> finding.severity().mustChange());
    }
}
