package io.offhook.cli.serve;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** A process that asks a server in its network namespace: for each line with an address, a line with what it answered. */
final class Fetch {
    private Fetch() {}

    public static void main(String[] args) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            for (String address = IO.readln(); address != null; address = IO.readln()) {
                HttpRequest request =
                        HttpRequest.newBuilder(URI.create(address)).build();
                String body = client.send(request, HttpResponse.BodyHandlers.ofString())
                        .body();
                IO.println(body.replace("\n", " "));
            }
        }
    }
}
