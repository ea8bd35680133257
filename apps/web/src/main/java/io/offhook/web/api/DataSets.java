package io.offhook.web.api;

import io.helidon.webserver.http.ServerRequest;
import io.offhook.web.data.CallData;
import io.offhook.web.data.ReadConnections;
import io.offhook.web.http.BadRequestException;
import java.sql.SQLException;

/** The databases that requests can name: that of the server, and those of dropped captures and of calls
 * that were opened with keys ({@code in=ID}). */
public final class DataSets implements AutoCloseable {
    private final ReadConnections own;
    private final Uploads uploads;
    private final KeyedCalls keyed;

    /** Begins with the data of the server. */
    DataSets(CallData own, Uploads uploads, KeyedCalls keyed) {
        this.own = new ReadConnections(own);
        this.uploads = uploads;
        this.keyed = keyed;
    }

    /** The data of the server itself. */
    ReadConnections own() {
        return own;
    }

    /** The data that a request is about. */
    ReadConnections of(ServerRequest request) {
        String id = new Parameters(request).text("in");
        if (id == null) {
            return own;
        }
        if (id.startsWith(KeyedCalls.PREFIX)) {
            KeyedCalls.Opened opened = keyed.find(id, KeysResource.session(request));
            if (opened == null) {
                throw new BadRequestException(
                        404,
                        "there is no such view with keys in this browser, or no more; add the keys to the call again");
            }
            return opened.connections;
        }
        Uploads.Upload upload = uploads.find(id);
        if (upload == null) {
            throw new BadRequestException(404, "there is no such capture any more; drop it again");
        }
        return upload.connections;
    }

    /** The answer to a request, read by a connection to the data that it is about, or within the last second. */
    byte[] answer(ServerRequest request, ReadConnections.Work<byte[]> work) throws SQLException {
        return of(request).answer(question(request), work);
    }

    /** As {@link #answer}, of several readings, between which other requests have their turns. */
    byte[] answerInSteps(ServerRequest request, ReadConnections.Steps steps) throws SQLException {
        return of(request).answerInSteps(question(request), steps);
    }

    private static String question(ServerRequest request) {
        return request.prologue().uriPath().rawPath()
                + '?'
                + request.prologue().query().rawValue();
    }

    @Override
    public void close() {
        own.close();
        keyed.close(); // before what they were read from
        uploads.close();
    }
}
