package io.offhook.web.api;

import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.offhook.web.data.CallReader;
import io.offhook.web.http.BadRequestException;
import io.offhook.web.http.JsonReply;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Registrations: the list, one of them, its messages. */
final class RegistrationsResource implements HttpService {
    private static final ListResource LIST = ListResource.REGISTRATIONS;

    private final DataSets data;

    RegistrationsResource(DataSets data) {
        this.data = data;
    }

    @Override
    public void routing(HttpRules rules) {
        rules.get("/", (request, response) -> LIST.registrations(data, request, response))
                .get("/{id}", this::one)
                .get("/{id}/messages", this::messages);
    }

    private void one(ServerRequest request, ServerResponse response) throws SQLException {
        long id = id(request);
        byte[] found = data.answer(request, reader -> {
            PreparedStatement statement = reader.statement(
                    "SELECT " + Field.select(LIST.fields()) + " FROM " + LIST.table() + " WHERE id = ?");
            statement.setLong(1, id);
            try (ResultSet result = statement.executeQuery()) {
                if (!result.next()) {
                    throw unknown();
                }
                return document(result);
            }
        });
        JsonReply.sendDocument(response, found);
    }

    private static byte[] document(ResultSet row) {
        return JsonReply.document(out -> {
            try {
                Field.write(LIST.fields(), row, out);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private void messages(ServerRequest request, ServerResponse response) throws SQLException {
        long id = id(request);
        byte[] found = data.answer(request, reader -> MessageRows.document(reader, List.of(callId(reader, id))));
        JsonReply.sendDocument(response, found);
    }

    private static String callId(CallReader reader, long id) throws SQLException {
        PreparedStatement statement = reader.statement("SELECT call_id FROM " + LIST.table() + " WHERE id = ?");
        statement.setLong(1, id);
        try (ResultSet result = statement.executeQuery()) {
            if (result.next()) {
                return result.getString(1);
            }
        }
        throw unknown();
    }

    private static BadRequestException unknown() {
        return new BadRequestException(404, "there is no such registration; it may have been deleted to make room");
    }

    private static long id(ServerRequest request) {
        return CallsResource.id(request.path().pathParameters().first("id").orElse(""), "registration");
    }
}
