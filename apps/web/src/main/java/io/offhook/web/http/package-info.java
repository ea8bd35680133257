/**
 * What holds for every request: {@link io.offhook.web.http.Guard} says who may ask what from where, and sets the headers that
 * keep a browser from loading or running anything else; {@link io.offhook.web.http.PageFiles} serves the files of the page;
 * {@link io.offhook.web.http.JsonReply} answers.
 */
@NullMarked
package io.offhook.web.http;

import org.jspecify.annotations.NullMarked;
