/* SPDX-License-Identifier: Apache-2.0
 *
 * The table through which the loader of several vendors' libraries calls, in the order of cl_khr_icd: fixed for ever, with new functions
 * at its end. Functions that share objects with Direct3D are not there.
 */
#include "entry/entry.h"

/* Those that are refused. */
int32_t clCreateSubDevicesEXT(void);
int32_t clEnqueueAcquireEGLObjectsKHR(void);
int32_t clEnqueueAcquireGLObjects(void);
int32_t clEnqueueNativeKernel(void);
int32_t clEnqueueReleaseEGLObjectsKHR(void);
int32_t clEnqueueReleaseGLObjects(void);
int32_t clGetGLContextInfoKHR(void);
int32_t clGetGLObjectInfo(void);
int32_t clGetGLTextureInfo(void);
int32_t clReleaseDeviceEXT(void);
int32_t clRetainDeviceEXT(void);

const void *const opencl_dispatch[] = {
    (const void *)clGetPlatformIDs, (const void *)clGetPlatformInfo, (const void *)clGetDeviceIDs, (const void *)clGetDeviceInfo,
    (const void *)clCreateContext, (const void *)clCreateContextFromType, (const void *)clRetainContext, (const void *)clReleaseContext,
    (const void *)clGetContextInfo, (const void *)clCreateCommandQueue, (const void *)clRetainCommandQueue,
    (const void *)clReleaseCommandQueue, (const void *)clGetCommandQueueInfo, (const void *)clSetCommandQueueProperty,
    (const void *)clCreateBuffer, (const void *)clCreateImage2D, (const void *)clCreateImage3D, (const void *)clRetainMemObject,
    (const void *)clReleaseMemObject, (const void *)clGetSupportedImageFormats, (const void *)clGetMemObjectInfo,
    (const void *)clGetImageInfo, (const void *)clCreateSampler, (const void *)clRetainSampler, (const void *)clReleaseSampler,
    (const void *)clGetSamplerInfo, (const void *)clCreateProgramWithSource, (const void *)clCreateProgramWithBinary,
    (const void *)clRetainProgram, (const void *)clReleaseProgram, (const void *)clBuildProgram, (const void *)clUnloadCompiler,
    (const void *)clGetProgramInfo, (const void *)clGetProgramBuildInfo, (const void *)clCreateKernel,
    (const void *)clCreateKernelsInProgram, (const void *)clRetainKernel, (const void *)clReleaseKernel, (const void *)clSetKernelArg,
    (const void *)clGetKernelInfo, (const void *)clGetKernelWorkGroupInfo, (const void *)clWaitForEvents, (const void *)clGetEventInfo,
    (const void *)clRetainEvent, (const void *)clReleaseEvent, (const void *)clGetEventProfilingInfo, (const void *)clFlush,
    (const void *)clFinish, (const void *)clEnqueueReadBuffer, (const void *)clEnqueueWriteBuffer, (const void *)clEnqueueCopyBuffer,
    (const void *)clEnqueueReadImage, (const void *)clEnqueueWriteImage, (const void *)clEnqueueCopyImage,
    (const void *)clEnqueueCopyImageToBuffer, (const void *)clEnqueueCopyBufferToImage, (const void *)clEnqueueMapBuffer,
    (const void *)clEnqueueMapImage, (const void *)clEnqueueUnmapMemObject, (const void *)clEnqueueNDRangeKernel,
    (const void *)clEnqueueTask, (const void *)clEnqueueNativeKernel, (const void *)clEnqueueMarker, (const void *)clEnqueueWaitForEvents,
    (const void *)clEnqueueBarrier, (const void *)clGetExtensionFunctionAddress, (const void *)clCreateFromGLBuffer,
    (const void *)clCreateFromGLTexture2D, (const void *)clCreateFromGLTexture3D, (const void *)clCreateFromGLRenderbuffer,
    (const void *)clGetGLObjectInfo, (const void *)clGetGLTextureInfo, (const void *)clEnqueueAcquireGLObjects,
    (const void *)clEnqueueReleaseGLObjects, (const void *)clGetGLContextInfoKHR, NULL, NULL, NULL, NULL, NULL, NULL,
    (const void *)clSetEventCallback, (const void *)clCreateSubBuffer, (const void *)clSetMemObjectDestructorCallback,
    (const void *)clCreateUserEvent, (const void *)clSetUserEventStatus, (const void *)clEnqueueReadBufferRect,
    (const void *)clEnqueueWriteBufferRect, (const void *)clEnqueueCopyBufferRect, (const void *)clCreateSubDevicesEXT,
    (const void *)clRetainDeviceEXT, (const void *)clReleaseDeviceEXT, (const void *)clCreateEventFromGLsyncKHR,
    (const void *)clCreateSubDevices, (const void *)clRetainDevice, (const void *)clReleaseDevice, (const void *)clCreateImage,
    (const void *)clCreateProgramWithBuiltInKernels, (const void *)clCompileProgram, (const void *)clLinkProgram,
    (const void *)clUnloadPlatformCompiler, (const void *)clGetKernelArgInfo, (const void *)clEnqueueFillBuffer,
    (const void *)clEnqueueFillImage, (const void *)clEnqueueMigrateMemObjects, (const void *)clEnqueueMarkerWithWaitList,
    (const void *)clEnqueueBarrierWithWaitList, (const void *)clGetExtensionFunctionAddressForPlatform,
    (const void *)clCreateFromGLTexture, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
    (const void *)clCreateFromEGLImageKHR, (const void *)clEnqueueAcquireEGLObjectsKHR, (const void *)clEnqueueReleaseEGLObjectsKHR,
    (const void *)clCreateEventFromEGLSyncKHR, (const void *)clCreateCommandQueueWithProperties, (const void *)clCreatePipe,
    (const void *)clGetPipeInfo, (const void *)clSVMAlloc, (const void *)clSVMFree, (const void *)clEnqueueSVMFree,
    (const void *)clEnqueueSVMMemcpy, (const void *)clEnqueueSVMMemFill, (const void *)clEnqueueSVMMap, (const void *)clEnqueueSVMUnmap,
    (const void *)clCreateSamplerWithProperties, (const void *)clSetKernelArgSVMPointer, (const void *)clSetKernelExecInfo,
    (const void *)clGetKernelSubGroupInfoKHR, (const void *)clCloneKernel, (const void *)clCreateProgramWithIL,
    (const void *)clEnqueueSVMMigrateMem, (const void *)clGetDeviceAndHostTimer, (const void *)clGetHostTimer,
    (const void *)clGetKernelSubGroupInfo, (const void *)clSetDefaultDeviceCommandQueue, (const void *)clSetProgramReleaseCallback,
    (const void *)clSetProgramSpecializationConstant, (const void *)clCreateBufferWithProperties,
    (const void *)clCreateImageWithProperties, (const void *)clSetContextDestructorCallback,
};
