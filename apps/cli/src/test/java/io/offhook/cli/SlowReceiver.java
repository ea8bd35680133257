package io.offhook.cli;

import io.offhook.cli.doctor.DoctorCommandTest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * A program that binds UDP port 5060 and never reads, for {@link DoctorCommandTest}: each line of standard input, an address
 * and a count, has it send as many datagrams there, and answer with how many it sent.
 */
final class SlowReceiver {
    private static final int PORT = 5060;

    private SlowReceiver() {}

    public static void main(String[] args) throws IOException {
        try (DatagramSocket receiver = new DatagramSocket(null);
                DatagramSocket sender = new DatagramSocket();
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            receiver.setReceiveBufferSize(16_384);
            receiver.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT));
            System.out.println("bound");
            byte[] payload = new byte[200];
            String line = in.readLine();
            while (line != null) {
                String[] words = line.split(" ", -1);
                InetAddress address = InetAddress.ofLiteral(words[0]);
                int sent = 0;
                for (int i = 0; i < Integer.parseInt(words[1]); i++) {
                    try {
                        sender.send(new DatagramPacket(payload, payload.length, address, PORT));
                        sent++;
                    } catch (IOException e) {
                        // the queue of the interface was full, and said so
                    }
                }
                System.out.println(sent);
                line = in.readLine();
            }
        }
    }
}
