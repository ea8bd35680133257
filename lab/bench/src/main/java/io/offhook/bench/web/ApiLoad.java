package io.offhook.bench.web;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sends requests to the API of {@code offhook serve} in an open loop: each at its time, whether or not the ones before were
 * answered, and its latency counts from that time. The kinds are those that open pages send: lists with and without filters,
 * calls with their messages, streams, totals, statistics.
 */
public final class ApiLoad {
    private static final double MS = 1e6;
    private static final int CALLS_KNOWN = 200;
    /** As four browsers open them; what waits for one waits in the latency. */
    private static final int CONNECTIONS = 24;

    private static final Pattern ID = Pattern.compile("\"id\":\"(\\d+)\"");

    /** Of a hundred requests, and each followed by what it asks for. */
    private static final List<String> MIX = List.of(
            "25 calls?fields=summary&limit=200&sort=-firstSeenAt",
            "5 calls?fields=summary&limit=200&sort=from",
            "5 calls?fields=summary&limit=200&bad=true",
            "5 calls?fields=summary&limit=200&number=12",
            "5 calls?fields=summary&limit=200&text=example",
            "10 calls/ID",
            "10 calls/ID/messages",
            "10 streams?limit=200&sort=-firstAt",
            "15 totals?buckets=60",
            "8 system",
            "2 statistics");

    private final HttpClient client = HttpClient.newHttpClient();
    private final Semaphore connections = new Semaphore(CONNECTIONS, true);
    private final String root;
    private final Map<String, ConcurrentLinkedQueue<Long>> latencies = new LinkedHashMap<>();
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    private List<String> ids = List.of();

    private ApiLoad(String root) {
        this.root = root + "/api/v1/";
        latencies.put("all", new ConcurrentLinkedQueue<>());
        MIX.forEach(kind -> latencies.put(kind, new ConcurrentLinkedQueue<>()));
    }

    /** @param arguments the address of the server, requests a second, seconds of warm-up, seconds that count */
    public static void main(String[] arguments) throws Exception {
        ApiLoad load = new ApiLoad(arguments[0]);
        double rate = Double.parseDouble(arguments[1]);
        load.run(rate, Integer.parseInt(arguments[2]));
        load.latencies.values().forEach(ConcurrentLinkedQueue::clear);
        load.failures.clear();
        load.run(rate, Integer.parseInt(arguments[3]));
        load.print(System.out);
        load.client.close();
    }

    private void run(double rate, int seconds) throws Exception {
        ids = ids();
        List<String> kinds = new ArrayList<>();
        for (String kind : MIX) {
            for (int i = Integer.parseInt(kind.substring(0, kind.indexOf(' '))); i > 0; i--) {
                kinds.add(kind);
            }
        }
        Random random = new Random(5);
        long beganNs = System.nanoTime();
        try (ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < rate * seconds; i++) {
                long dueNs = beganNs + (long) (i * 1e9 / rate);
                for (long ns = dueNs - System.nanoTime(); ns > 0; ns = dueNs - System.nanoTime()) {
                    LockSupport.parkNanos(ns);
                }
                String kind = kinds.get(random.nextInt(kinds.size()));
                int call = random.nextInt(CALLS_KNOWN);
                senders.execute(() -> ask(kind, call, dueNs));
            }
        }
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(root + path))
                .version(HttpClient.Version.HTTP_1_1)
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private List<String> ids() throws IOException, InterruptedException {
        List<String> found = new ArrayList<>();
        Matcher matcher =
                ID.matcher(get("calls?fields=summary&limit=" + CALLS_KNOWN).body());
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }

    private void ask(String kind, int call, long dueNs) {
        String id = ids.isEmpty() ? "0" : ids.get(call % ids.size());
        String path = kind.substring(kind.indexOf(' ') + 1).replace("ID", id);
        connections.acquireUninterruptibly();
        try {
            int status = get(path).statusCode();
            long tookNs = System.nanoTime() - dueNs;
            latencies.getOrDefault(kind, new ConcurrentLinkedQueue<>()).add(tookNs);
            latencies.getOrDefault("all", new ConcurrentLinkedQueue<>()).add(tookNs);
            if (status != 200) {
                failures.add(path + ": " + status);
            }
        } catch (IOException e) {
            failures.add(path + ": " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            connections.release();
        }
    }

    private void print(PrintStream out) {
        latencies.forEach((kind, all) -> {
            long[] ns = all.stream().mapToLong(Long::longValue).toArray();
            Arrays.sort(ns);
            if (ns.length > 0) {
                out.printf(
                        Locale.ROOT,
                        "%-52s %6d requests, p50 %6.1f ms, p99 %6.1f ms, max %6.1f ms%n",
                        kind,
                        ns.length,
                        ns[ns.length / 2] / MS,
                        ns[(int) (ns.length * 0.99)] / MS,
                        ns[ns.length - 1] / MS);
            }
        });
        out.printf(
                Locale.ROOT,
                "not answered with 200: %d %s%n",
                failures.size(),
                failures.stream().distinct().limit(3).toList());
    }
}
