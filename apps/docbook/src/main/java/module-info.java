/** The protoc plugin that makes DocBook books of .proto files, and the command that renders them. Exports nothing. */
module io.offhook.docbook {
    requires com.google.protobuf;
    requires java.xml;
    requires static org.jspecify;
    requires org.apache.xmlgraphics.commons;
    requires org.apache.xmlgraphics.fop.core;
    requires org.apache.xmlgraphics.fop.events;
}
