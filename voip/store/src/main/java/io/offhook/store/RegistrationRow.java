package io.offhook.store;

import io.offhook.calls.Problem;
import io.offhook.calls.RegistrationProblems;
import io.offhook.calls.registration.Registration;
import io.offhook.report.ProblemText;
import io.offhook.report.RegistrationOutcome;
import java.util.ArrayList;
import java.util.List;

/**
 * A row of the table of registrations.
 *
 * @param id identifies the registration
 * @param source the capture it was found in
 * @param nowNs until when it was captured
 */
record RegistrationRow(long id, String source, Registration registration, long nowNs) {
    static final Table<RegistrationRow> TABLE = new Table<>(
            "registrations",
            "A registration: the REGISTERs of a client with one Call-ID, and what became of the last one.",
            new Table.Key("id", "first_at"),
            List.of(
                    Column.whole("id", "Identifies the registration.", RegistrationRow::id),
                    Column.text("source", "The file or the interfaces it was captured from.", RegistrationRow::source),
                    Column.text("call_id", "Call-ID.", row -> row.registration.callId()),
                    Column.text("address_of_record", "The To URI.", row -> row.registration.addressOfRecord()),
                    Column.text("username", "Its user part.", row -> row.registration.user()),
                    Column.text("contact", "The URI registered.", row -> row.registration.contact()),
                    Column.text("user_agent", "User-Agent of the client.", row -> row.registration.userAgent()),
                    Column.text(
                            "client",
                            "Sender of the REGISTER, with port.",
                            row -> row.registration.client().toString()),
                    Column.text(
                            "registrar",
                            "Its receiver, with port.",
                            row -> row.registration.registrar().toString()),
                    Column.text(
                            "outcome",
                            "`registered`, `removed`, `challenged`, `rejected`, `unanswered` or `expired`, when it was"
                                    + " written.",
                            row -> RegistrationOutcome.of(row.registration, row.nowNs)
                                    .label()),
                    Column.count(
                            "final_status",
                            "The last final response, 200 to 699.",
                            row -> row.registration.finalStatus() > 0 ? row.registration.finalStatus() : Column.NONE),
                    Column.flag(
                            "challenged", "Whether a 401 or 407 was among them.", row -> row.registration.challenged()),
                    Column.whole(
                            "expires_seconds",
                            "Requested or granted, s.",
                            row -> row.registration.expiresSeconds() < 0
                                    ? Column.NONE
                                    : row.registration.expiresSeconds()),
                    Column.count(
                            "requests", "REGISTERs, retransmissions not counted.", row -> row.registration.requests()),
                    Column.time("first_at", "The first REGISTER.", row -> row.registration.firstNs()),
                    Column.time("last_at", "The last message.", row -> row.registration.lastNs()),
                    Column.time(
                            "bound_until",
                            "When what was granted last runs out.",
                            row -> row.registration.boundUntilNs()),
                    Column.text(
                            "problems", "What was wrong, in words; empty if nothing was.", RegistrationRow::problems),
                    Column.whole(
                            "first_frame",
                            "Number of its first packet, from 1.",
                            row -> row.registration.firstFrame())));

    static RegistrationRow of(Registration registration, String source, long nowNs) {
        return new RegistrationRow(Ids.registration(registration), source, registration, nowNs);
    }

    private String problems() {
        List<String> texts = new ArrayList<>(1);
        for (Problem problem : RegistrationProblems.of(registration, nowNs)) {
            texts.add(ProblemText.of(problem, registration.firstNs()));
        }
        return String.join("; ", texts);
    }
}
