# The remote GPUs of this virtual machine, for those who may read whose they are.
if [ -r /run/outboard-lease/environment ]; then
  . /run/outboard-lease/environment
  export OUTBOARD OUTBOARD_TOKEN
fi
