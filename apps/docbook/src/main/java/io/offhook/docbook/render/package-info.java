/**
 * {@code offhook docbook}: {@link io.offhook.docbook.render.Main} reads the command line, {@code BookRenderer} a DocBook 5
 * document, which it turns into HTML, or by way of formatting objects into PDF, with the DocBook stylesheets, Saxon and
 * FOP. Stylesheets and fonts come from the class path ({@code ClassPathResources}), and nothing from the network.
 */
@NullMarked
package io.offhook.docbook.render;

import org.jspecify.annotations.NullMarked;
