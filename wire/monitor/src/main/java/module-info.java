/** What the threads of any process on Linux do, by /proc, and those of a JVM, by its memory, its attach socket and Flight Recorder. */
module io.offhook.monitor {
    requires transitive io.offhook.linux;
    requires jdk.attach;
    requires jdk.jfr;
    requires static transitive org.jspecify;

    exports io.offhook.monitor;
    exports io.offhook.monitor.recording;
    exports io.offhook.monitor.xray;
}
