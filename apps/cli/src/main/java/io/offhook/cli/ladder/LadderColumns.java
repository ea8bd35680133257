package io.offhook.cli.ladder;

import io.offhook.cli.messages.KeptMessage;
import io.offhook.packet.Endpoint;
import io.offhook.sip.MediaDescription;
import io.offhook.sip.SessionDescription;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Assigns endpoints to the columns of a ladder. A host is one column, whatever ports it uses; a host that sends messages to
 * itself (all on one machine) has one column per port. Media is in the column of its host's signalling, or of the side whose
 * SDP announced its address.
 */
final class LadderColumns {
    private final List<KeptMessage> messages;
    /** Addresses, with port 0, that have one column per port. */
    private final Set<Endpoint> split = new HashSet<>();
    /** Columns by endpoint, with port 0 if the host is one column. */
    private final Map<Endpoint, Integer> columns = new LinkedHashMap<>();
    /** The signalling ports of each column. */
    private final List<Set<Integer>> ports = new ArrayList<>();
    /** The column whose SDP first announced a media address. */
    private final Map<Endpoint, Integer> announced = new HashMap<>();

    LadderColumns(List<KeptMessage> messages) {
        this.messages = messages;
        for (KeptMessage message : messages) {
            if (host(message.source()).equals(host(message.destination()))) {
                split.add(host(message.source()));
            }
        }
        for (KeptMessage message : messages) {
            ports.get(ofSignalling(message.source())).add(message.source().port());
            ports.get(ofSignalling(message.destination()))
                    .add(message.destination().port());
            announce(message);
        }
    }

    private static Endpoint host(Endpoint endpoint) {
        return endpoint.withPort(0);
    }

    private void announce(KeptMessage message) {
        SessionDescription sdp = message.sdp();
        if (sdp == null) {
            return;
        }
        for (MediaDescription media : sdp.media()) {
            Endpoint endpoint = media.endpoint();
            if (endpoint != null && endpoint.port() != 0) {
                announced.putIfAbsent(endpoint, ofSignalling(message.source()));
            }
        }
    }

    private Endpoint key(Endpoint endpoint) {
        return split.contains(host(endpoint)) ? endpoint : host(endpoint);
    }

    /** The column of an endpoint of signalling; a new one if it has none. */
    int ofSignalling(Endpoint endpoint) {
        return columns.computeIfAbsent(key(endpoint), key -> {
            ports.add(new LinkedHashSet<>());
            return ports.size() - 1;
        });
    }

    /** The column of an endpoint of media; a new one if it has none. */
    int ofMedia(Endpoint endpoint) {
        Integer named = announced.get(endpoint);
        if (named != null) {
            return named;
        }
        Integer known = columns.get(host(endpoint));
        return known != null ? known : ofStranger(endpoint);
    }

    /** The single column of a host without signalling. */
    private int ofStranger(Endpoint endpoint) {
        return columns.computeIfAbsent(host(endpoint), key -> {
            ports.add(new LinkedHashSet<>());
            return ports.size() - 1;
        });
    }

    /**
     * The column of the host that reported an error.
     *
     * @param about the endpoint that the error is about, which identifies the column if both ends are on one machine
     */
    int ofReporter(Endpoint reporter, Endpoint about) {
        if (host(reporter).equals(host(about))) {
            Integer column = columns.get(key(about));
            return column != null ? column : ofMedia(about);
        }
        return ofMedia(reporter);
    }

    /** The column of one end of a packet that an error quotes: signalling or media. */
    int ofQuoted(Endpoint endpoint) {
        Integer column = columns.get(key(endpoint));
        return column != null ? column : ofMedia(endpoint);
    }

    /** The names of the columns: address and port, or the address of a host that uses several ports. */
    List<String> names() {
        List<String> names = new ArrayList<>();
        for (Map.Entry<Endpoint, Integer> column : columns.entrySet()) {
            Set<Integer> used = ports.get(column.getValue());
            Endpoint endpoint = column.getKey();
            names.add(
                    used.size() == 1 ? endpoint.withPort(used.iterator().next()).toString() : endpoint.addressText());
        }
        return names;
    }

    /**
     * The software of each column according to User-Agent or Server; null if unknown. Proxies forward both headers, so a name
     * belongs to the host that sent it first.
     */
    List<@Nullable String> userAgents() {
        @Nullable String[] agents = new String[ports.size()];
        Set<String> seen = new HashSet<>();
        for (KeptMessage message : messages) {
            String agent = message.userAgent();
            if (!agent.isEmpty() && seen.add((message.isRequest() ? "request " : "response ") + agent)) {
                int column = ofSignalling(message.source());
                agents[column] = agents[column] == null ? agent : agents[column];
            }
        }
        return Arrays.asList(agents);
    }
}
