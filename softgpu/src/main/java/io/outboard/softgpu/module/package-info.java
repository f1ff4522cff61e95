// SPDX-License-Identifier: Apache-2.0
/**
 * Code that a program has loaded: modules of a context, libraries of the process, their functions
 * and variables. Images are read by the package of images and compiled by the PTX compiler. A
 * function that cannot run says why, once.
 */
package io.outboard.softgpu.module;
