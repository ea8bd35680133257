package io.offhook.cli.reproduce;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The script of one side.
 *
 * @param name of the scenario, and of the file without its ending
 * @param steps in order
 */
record Script(String name, List<Step> steps) {
    /** The file of the script. */
    String file() {
        return name + ".xml";
    }

    /** The script as a scenario of sipp: ASCII, each line of ours or escaped. */
    String xml() {
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"US-ASCII\"?>\n");
        xml.append("<!-- The ")
                .append(name)
                .append(" of a captured call. Written by offhook reproduce; README.txt. -->\n");
        xml.append("<scenario name=\"").append(name).append("\">\n");
        String sent = steps.stream()
                .filter(step -> step instanceof Step.Send)
                .map(step -> ((Step.Send) step).text())
                .collect(Collectors.joining());
        for (Step step : steps) {
            switch (step) {
                case Step.Send send -> send(xml, send);
                case Step.Receive receive -> receive(xml, receive, sent);
                case Step.Pause pause ->
                    xml.append("\n  <pause milliseconds=\"").append(pause.ms()).append("\"/>\n");
                case Step.Await await -> await(xml, await);
                case Step.Play play -> play(xml, play);
            }
        }
        return xml.append("\n</scenario>\n").toString();
    }

    private static void send(StringBuilder xml, Step.Send send) {
        xml.append("\n  <send")
                .append(send.isRepeated() ? " retrans=\"500\"" : "")
                .append(">\n    <![CDATA[\n");
        // what follows the last octet would be part of the body
        xml.append(send.text()).append("]]>\n  </send>\n");
    }

    private static void receive(StringBuilder xml, Step.Receive receive, String sent) {
        xml.append("\n  <recv ")
                .append(receive.isRequest() ? "request" : "response")
                .append("=\"")
                .append(SippText.attribute(receive.kind()))
                .append(receive.isOptional() ? "\" optional=\"true\"" : "\"");
        // sipp takes a variable that nobody uses for a mistake
        List<Step.Kept> used = new ArrayList<>(receive.kept());
        used.removeIf(kept -> !sent.contains("[$" + kept.variable() + "]"));
        if (used.isEmpty()) {
            xml.append("/>\n");
            return;
        }
        xml.append(">\n    <action>\n");
        for (Step.Kept kept : used) {
            xml.append("      <ereg regexp=\"")
                    .append(SippText.attribute(kept.pattern()))
                    .append("\" search_in=\"hdr\" header=\"")
                    .append(kept.header())
                    .append("\" assign_to=\"")
                    .append(kept.variable())
                    .append("\"/>\n");
        }
        xml.append("    </action>\n  </recv>\n");
    }

    /** The time is up at the label. */
    private static void await(StringBuilder xml, Step.Await await) {
        xml.append("\n  <recv response=\"100\" timeout=\"")
                .append(await.ms())
                .append("\" ontimeout=\"1\"/>\n\n  <label id=\"1\"/>\n\n  <pause milliseconds=\"1\"/>\n");
    }

    private static void play(StringBuilder xml, Step.Play play) {
        xml.append("\n  <nop>\n    <action>\n      <exec ")
                .append(play.isAudio() ? "play_pcap_audio" : "play_pcap_video")
                .append("=\"")
                .append(play.file())
                .append("\"/>\n    </action>\n  </nop>\n");
    }
}
