package io.offhook.store;

import io.offhook.calls.Problem;
import io.offhook.report.ProblemText;
import java.util.List;

/**
 * A row of the table of problems.
 *
 * @param call the call's id
 * @param callNs when the call was first seen
 * @param startedNs when the call began: the text is relative to it
 */
record ProblemRow(long call, long callNs, Problem problem, long startedNs) {
    static final Table<ProblemRow> TABLE = new Table<>(
            "problems",
            "Something that was wrong with a call, in the order of importance.",
            new Table.Key("call", "call_at"),
            List.of(
                    Column.whole("call", "`id` of the call.", ProblemRow::call),
                    Column.text(
                            "kind",
                            "Its kind, as OUTPUT.md lists them.",
                            row -> row.problem.kind().label()),
                    Column.text(
                            "class",
                            "`service` (it failed), `normal` or `note`.",
                            row -> row.problem.problemClass().label()),
                    Column.text(
                            "side",
                            "Whose packets it is about: `caller`, `callee`, `both`.",
                            row -> row.problem.side() == null
                                    ? null
                                    : row.problem.side().label()),
                    Column.time("began_at", "When it happened or began.", row -> row.problem.atNs()),
                    Column.real("seconds", "How long it took, s.", row -> row.problem.seconds()),
                    Column.real("percent", "A share of packets, or of time, 0 to 100.", row -> row.problem.percent()),
                    Column.whole(
                            "count",
                            "Packets, messages or errors.",
                            row -> row.problem.count() > 0 ? row.problem.count() : Column.NONE),
                    Column.count(
                            "status",
                            "SIP status.",
                            row -> row.problem.status() > 0 ? row.problem.status() : Column.NONE),
                    Column.real("value", "Depends on its kind.", row -> row.problem.value()),
                    Column.text("text", "In words.", row -> ProblemText.of(row.problem, row.startedNs)),
                    Column.time("call_at", "`first_seen_at` of the call.", ProblemRow::callNs)));
}
