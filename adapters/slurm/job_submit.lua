-- SPDX-License-Identifier: Apache-2.0
-- A whole job_submit.lua, for a site that has none.
dofile("/usr/lib/outboard-slurm/slurm/outboard.lua")

function slurm_job_submit(job_desc, part_list, submit_uid)
  return outboard_job(job_desc)
end

function slurm_job_modify(job_desc, job_rec, part_list, modify_uid)
  return slurm.SUCCESS
end

return slurm.SUCCESS
