/** What would lose packets on a Linux machine, and what to do about it. Changes nothing. */
module io.offhook.doctor {
    requires transitive io.offhook.linux;
    requires static transitive org.jspecify;

    exports io.offhook.doctor;
}
