-- SPDX-License-Identifier: Apache-2.0
-- For job_submit.lua: what a job asks for of remote GPUs becomes licences, which Slurm counts for
-- the whole cluster, and a word in the job's comment, which tells the nodes' prologs.
--
-- A site's own job_submit.lua calls outboard_job(job_desc) in slurm_job_submit and in
-- slurm_job_modify, and returns what that returns unless it is slurm.SUCCESS.

local MOST = 1024

local function words(text, separator)
  return string.gmatch(text or "", "[^" .. separator .. "]+")
end

local function refuse(...)
  slurm.log_user(...)
  return slurm.ERROR
end

-- Adds a request to what is wanted: a table of numbers by model, "" for any.
local function add(wanted, model, count)
  model = model or ""
  wanted[model] = (wanted[model] or 0) + count
end

-- --gres=rgpu[:MODEL][:COUNT]: for each node
local function of_gres(text)
  local wanted = {}
  for word in words(text, ",") do
    local rest = string.match(string.gsub(word, "^gres[:/]", ""), "^rgpu(.*)$")
    if rest then
      local model, count = string.match(rest, "^:([%w.-]+)[:=](%d+)$")
      if not model then
        count = string.match(rest, "^[:=](%d+)$")
        model = not count and string.match(rest, "^:([%w.-]+)$") or nil
      end
      if model or count or rest == "" then
        add(wanted, model, tonumber(count or 1))
      end
    end
  end
  return wanted
end

-- -L rgpu[_MODEL][:COUNT]: for the job. Returns the licences that are something else, too.
local function of_licences(text)
  local wanted, others = {}, {}
  for word in words(text, ",;") do
    local name, count = string.match(word, "^([^:=]+)[:=]?(%d*)$")
    local model = name and string.match(name, "^rgpu_([%w.-]+)$")
    if name == "rgpu" or model then
      add(wanted, model, tonumber(count) or 1)
    else
      table.insert(others, word)
    end
  end
  return wanted, others
end

-- The one model of a request and its number; of licences 'rgpu' counts those of a model again.
local function one(wanted)
  local model, count
  for name, number in pairs(wanted) do
    if name ~= "" then
      if model then
        return nil
      end
      model, count = name, number
    end
  end
  if model then
    return model, math.max(count, wanted[""] or 0)
  end
  return "", wanted[""]
end

-- Nodes of a job; nil where only the scheduler will know.
local function nodes(job)
  local unset = slurm.NO_VAL
  local least, most = job.min_nodes, job.max_nodes
  if least == nil or least == unset or least == 0 then
    local tasks = job.num_tasks
    return (tasks == nil or tasks == unset or tasks <= 1) and 1 or nil
  end
  if most == nil or most == unset or most == 0 or most == least then
    return least
  end
  return nil
end

local function mark(job, word)
  local kept = {}
  for each in words(job.comment, " ") do
    if not string.match(each, "^rgpu:") then
      table.insert(kept, each)
    end
  end
  table.insert(kept, word)
  job.comment = table.concat(kept, " ")
end

function outboard_job(job)
  local each_node = of_gres(job.tres_per_node or job.gres)
  local for_job, others = of_licences(job.licenses)
  local by_node, by_job = next(each_node) ~= nil, next(for_job) ~= nil
  if not by_node and not by_job then
    return slurm.SUCCESS
  end
  if by_node and by_job and job.job_id == nil then
    return refuse("outboard: ask for remote GPUs by --gres=rgpu or by -L rgpu, not by both")
  end
  local model, count = one(by_node and each_node or for_job)
  if not model then
    return refuse("outboard: a job has remote GPUs of one model")
  end
  local word = "rgpu:" .. (model ~= "" and model .. ":" or "")
  if by_node then
    local number = nodes(job)
    if not number then
      return refuse(
        "outboard: --gres=rgpu is for each node: say how many with -N, or use -L rgpu:COUNT"
      )
    end
    word = word .. count .. "/node"
    count = count * number
  else
    word = word .. count
  end
  if count < 1 or count > MOST then
    return refuse("outboard: a job has 1 to %d remote GPUs", MOST)
  end
  table.insert(others, "rgpu:" .. count)
  if model ~= "" then
    table.insert(others, "rgpu_" .. model .. ":" .. count)
  end
  job.licenses = table.concat(others, ",")
  mark(job, word)
  return slurm.SUCCESS
end
