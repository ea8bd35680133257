/**
 * The protoc plugin: {@link io.offhook.docbook.ProtocPlugin} reads a request of protoc and answers with a DocBook 5 book.
 * {@code ProtoFiles} links the descriptors, {@code SourceComments} finds the comments of each by its path,
 * {@code CommentText} makes paragraphs, lists and code of them, and {@code BookWriter} writes the book or its parts:
 * {@code FileChapter} a chapter a file, {@code MessageSection}, {@code EnumSection}, {@code ServiceSection} and
 * {@code ExtensionSection} what is in it. {@code MarkdownWriter} makes one document for GitHub of the same. The package {@code render} turns a book into HTML and PDF.
 */
@NullMarked
package io.offhook.docbook;

import org.jspecify.annotations.NullMarked;
