package io.offhook.cli.where;

import io.offhook.calls.CallReport;
import io.offhook.calls.Side;
import io.offhook.calls.points.LostMessage;
import io.offhook.calls.points.PointsReport;
import io.offhook.calls.points.StreamWay;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is printed.
 *
 * @param files the points, A first
 * @param report of all of them
 * @param streams that the filters select
 * @param messages that the filters select
 */
record WhereResult(List<PointFile> files, PointsReport report, List<StreamWay> streams, List<LostMessage> messages) {

    /** "A". */
    String name(int point) {
        return Character.toString('A' + point);
    }

    /** "A", or "A2" for the second hop of several that a capture has of a stream. */
    String name(StreamWay.Stop stop) {
        return stop.hop() == 0 ? name(stop.point()) : name(stop.point()) + stop.hop();
    }

    /** The call of a number; null if it is 0. */
    @Nullable
    CallReport call(int number) {
        return number == 0 ? null : report.calls().get(number - 1).report();
    }

    /** "the caller's audio", or "the stream 192.0.2.1:4000 > 192.0.2.2:4000" for one of no call. */
    static String media(StreamWay way) {
        Side from = way.from();
        String type = way.mediaType();
        return from == null
                ? "the stream " + way.stream().source() + " > " + way.stream().destination()
                : "the " + from.label() + "'s " + (type == null ? "media" : type);
    }
}
