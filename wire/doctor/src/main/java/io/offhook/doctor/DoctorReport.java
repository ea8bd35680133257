package io.offhook.doctor;

import java.util.Comparator;
import java.util.List;

/**
 * The result of examining a machine.
 *
 * @param findings the findings, the worst first; those of equal severity in the order of the rules
 * @param unread what could not be examined
 */
public record DoctorReport(List<Finding> findings, List<Unread> unread) {
    /** Sorts the findings. */
    public DoctorReport {
        findings = findings.stream()
                .sorted(Comparator.comparing(Finding::severity))
                .toList();
        unread = List.copyOf(unread);
    }

    /** Whether something must change: packets are being lost, or would be. */
    public boolean mustChange() {
        return findings.stream().anyMatch(finding -> finding.severity().mustChange());
    }
}
