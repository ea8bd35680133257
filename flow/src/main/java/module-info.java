/** IP fragments and TCP streams put together, within hard budgets. */
module io.offhook.flow {
    requires transitive io.offhook.packet;
    requires static transitive org.jspecify;

    exports io.offhook.flow;
}
